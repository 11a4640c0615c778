//! Scripts and outcomes as text for programs in C and JavaScript: a line for each call, which begins with `>`, the
//! number of its status, and the lines of its outcome.

use std::fmt::Write as _;

use super::{
    ActorSpec, Call, CameraSpec, Column, Line, ModuleSpec, Player as _, Profile, RuleSpec,
    ScenePlayer, calls, text,
};

#[must_use]
pub fn log(seed: u64, profile: &Profile) -> String {
    let mut player = ScenePlayer::<f32>::new();
    let lenses = if profile.has_lenses { " with lenses" } else { "" };
    let mut log = format!("scene {seed}{lenses}\n");
    for call in calls(seed, profile) {
        let (name, words) = words(&call);
        let outcome = player.call(&call);
        let _ = writeln!(log, "> {}\n{}", text(&Line { name, words }), outcome.status as u8);
        for line in outcome.lines.iter().filter(|line| line.name != "price") {
            log.push_str(&text(line));
            log.push('\n');
        }
    }
    log
}

/// A call as a name and words: floating-point numbers are their bits, lists begin with their length, and a missing
/// value has the word of `lodger.h`.
#[must_use]
pub fn words(call: &Call) -> (&'static str, Vec<u64>) {
    let mut out = Words(Vec::new());
    let name = match call {
        Call::SetBudget(ns) => out.all("budget", &[ns.unwrap_or(u64::MAX)]),
        Call::SetPolicy(policy) => out.all("policy", &[(*policy).into()]),
        Call::SetHysteresis { margin, dead_band } => {
            out.all("hysteresis", &[(*margin).into(), (*dead_band).into()])
        }
        Call::SetMaxUpgrades(max) => out.all("max-upgrades", &[max.unwrap_or(u32::MAX).into()]),
        Call::SetSearchMoves(moves) => out.all("search-moves", &[(*moves).into()]),
        Call::SetHeadroomTarget(part) => out.all("headroom", &[part.to_bits()]),
        Call::FrameDone => "frame-done",
        Call::ScaleCosts { numerator, denominator } => {
            out.all("scale-costs", &[(*numerator).into(), (*denominator).into()])
        }
        Call::SetOwnCost(ns) => out.all("own-cost", &[*ns]),
        Call::ObserveOwnTime(ns) => out.all("own-time", &[*ns]),
        Call::SetCautiousStart(is_on) => out.all("cautious-start", &[(*is_on).into()]),
        Call::SetUnmanagedInBudget(is_in) => out.all("unmanaged-in-budget", &[(*is_in).into()]),
        Call::TrackChanges(track) => out.all("track-changes", &[(*track).into()]),
        Call::AdvanceAges(seconds) => out.all("advance-ages", &[seconds.to_bits().into()]),
        Call::SetOrigin(origin) => out.all("origin", &origin.map(f64::to_bits)),
        Call::AddView(eye) => out.all("add-view", &eye.map(f64::to_bits)),
        Call::SetView { view, eye } => {
            out.index(*view);
            out.all("set-view", &eye.map(f64::to_bits))
        }
        Call::SetZoom { view, zoom } => out.all("zoom", &[*view as u64, zoom.to_bits()]),
        Call::SetMatrices { view, camera } => {
            out.index(*view);
            out.camera(camera)
        }
        Call::RemoveView(view) => out.all("remove-view", &[*view as u64]),
        Call::AddModule(spec) => out.module(spec),
        Call::SetRule { module, rule } => {
            out.index(*module);
            out.rule(rule);
            "rule"
        }
        Call::SetUnitCost { module, ns } => out.all("unit-cost", &[*module as u64, ns.to_bits()]),
        Call::SetBenefitValue { module, ns } => {
            out.all("benefit-value", &[*module as u64, (*ns).into()])
        }
        Call::SetModulePriority { module, priority } => {
            out.all("module-priority", &[*module as u64, priority.to_bits()])
        }
        Call::SetOutside { module, factor } => {
            out.all("outside", &[*module as u64, factor.to_bits()])
        }
        Call::TestViews(module) => out.all("test-views", &[*module as u64]),
        Call::SetManaged { module, managed } => {
            out.all("managed", &[*module as u64, (*managed).into()])
        }
        Call::SetLodCap { module, cap } => {
            out.all("lod-cap", &[*module as u64, cap.unwrap_or(u8::MAX).into()])
        }
        Call::SetOverhead { module, units } => {
            out.all("overhead", &[*module as u64, (*units).into()])
        }
        Call::ObserveTime { module, units, ns } => {
            out.all("observe-time", &[*module as u64, units.unwrap_or(u64::MAX), *ns])
        }
        Call::ObserveShare { module, percent } => {
            out.all("observe-share", &[*module as u64, *percent])
        }
        Call::Spawn { module, actors } => {
            out.all("spawn", &[*module as u64, actors.len() as u64]);
            for actor in actors {
                out.actor(actor);
            }
            "spawn"
        }
        Call::Despawn(actors) => {
            out.indices(actors);
            "despawn"
        }
        Call::Set { actors, column } => {
            out.indices(actors);
            out.column(column);
            "set"
        }
        Call::SetRange { actor, lowest, highest } => {
            out.all("range", &[*actor as u64, (*lowest).into(), (*highest).into()])
        }
        Call::SetWork { actor, work } => {
            out.index(*actor);
            out.units(work);
            "work"
        }
        Call::SetQualities { actor, qualities } => {
            out.index(*actor);
            out.floats(qualities.as_deref().unwrap_or_default());
            "qualities"
        }
        Call::SetRows { .. } => "rows",
        Call::SetInView { .. } => "in-view-rows",
        Call::Tick => "tick",
        Call::Certify => "certify",
    };
    (name, out.0)
}

struct Words(Vec<u64>);

impl Words {
    fn all(&mut self, name: &'static str, words: &[u64]) -> &'static str {
        self.0.extend(words);
        name
    }

    fn index(&mut self, index: usize) {
        self.0.push(index as u64);
    }

    fn indices(&mut self, indices: &[usize]) {
        self.index(indices.len());
        self.0.extend(indices.iter().map(|&index| index as u64));
    }

    fn float(&mut self, number: f32) {
        self.0.push(number.to_bits().into());
    }

    fn floats(&mut self, numbers: &[f32]) {
        self.index(numbers.len());
        self.0.extend(numbers.iter().map(|number| u64::from(number.to_bits())));
    }

    fn units(&mut self, units: &[u32]) {
        self.index(units.len());
        self.0.extend(units.iter().map(|&units| u64::from(units)));
    }

    fn camera(&mut self, camera: &CameraSpec) -> &'static str {
        const NONE: f64 = -1.0;
        for matrix in [camera.view, camera.projection] {
            self.0.extend(matrix.as_flattened().iter().map(|number| number.to_bits()));
        }
        let degrees = [camera.reference_fov, camera.margin];
        self.0.extend(degrees.map(|degrees| degrees.unwrap_or(NONE).to_bits()));
        "matrices"
    }

    fn rule(&mut self, rule: &RuleSpec) {
        const NO_LIMIT: f32 = -1.0;
        self.0.push(rule.angular.into());
        self.float(rule.max_distance.unwrap_or(NO_LIMIT));
        rule.weights.iter().for_each(|&weight| self.float(weight));
        self.float(rule.bias);
        self.float(rule.max_age.unwrap_or(NO_LIMIT));
        self.float(rule.max_speed.unwrap_or(NO_LIMIT));
    }

    fn module(&mut self, spec: &ModuleSpec) -> &'static str {
        self.rule(&spec.rule);
        let flags = [spec.continuous, spec.managed].map(u64::from);
        self.0.extend(flags);
        let benefit_value = spec.benefit_value_ns.map_or(u64::MAX, u64::from);
        self.0.extend([spec.unit_cost_ns.to_bits(), benefit_value]);
        self.0.extend([u64::from(spec.overhead), spec.cap.unwrap_or(u8::MAX).into()]);
        self.floats(spec.qualities.as_deref().unwrap_or_default());
        "add-module"
    }

    fn actor(&mut self, spec: &ActorSpec) {
        self.units(&spec.work);
        self.floats(spec.qualities.as_deref().unwrap_or_default());
        self.0.push(spec.key);
        self.0.extend(spec.position.map(f64::to_bits));
        for number in [spec.radius, spec.age, spec.speed] {
            self.float(number);
        }
        self.float(spec.benefit.unwrap_or(-1.0));
        self.float(spec.forced.unwrap_or(-1.0));
        let (lowest, highest) = spec.range.unwrap_or((0, u8::MAX));
        self.0.extend([u64::from(lowest), highest.into(), spec.visible.into()]);
    }

    /// The number of the column in `lodger.h`, the number of values, and the values.
    fn column(&mut self, column: &Column) {
        let mut floats = |number: u64, all: &[f32]| {
            self.0.push(number);
            self.floats(all);
        };
        match column {
            Column::Radius(all) => floats(2, all),
            Column::Age(all) => floats(3, all),
            Column::Speed(all) => floats(4, all),
            Column::Benefit(all) => floats(5, all),
            Column::Forced(all) => floats(6, all),
            Column::Priority(all) => floats(9, all),
            Column::Position(all) => {
                self.0.extend([0, all.len() as u64]);
                all.as_flattened().iter().for_each(|&number| self.float(number));
            }
            Column::WorldPosition(all) => {
                self.0.extend([1, all.len() as u64]);
                self.0.extend(all.as_flattened().iter().map(|number| number.to_bits()));
            }
            Column::Visible(all) => self.bits(7, all),
            Column::InView(all) => self.bits(10, all),
            Column::Key(all) => {
                self.0.extend([8, all.len() as u64]);
                self.0.extend(all);
            }
            // Programs set the three columns one by one.
            Column::State(_) => self.0.extend([11, 0]),
        }
    }

    fn bits(&mut self, column: u64, bits: &[bool]) {
        self.0.extend([column, bits.len() as u64]);
        self.0.extend(bits.iter().map(|&bit| u64::from(bit)));
    }
}
