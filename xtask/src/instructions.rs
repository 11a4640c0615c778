//! `cargo xtask instructions`: the size of the ledger on each target, and its instructions as QEMU counts them.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::process::Stdio;

use object::{Object, ObjectSection, SectionKind};
use serde_json::{Value, json};

use crate::board_table::{Architecture, BoardEntry};
use crate::boards;
use crate::error::TaskError;
use crate::qemu;
use crate::steps::Steps;

const PROGRAMS: [&str; 7] =
    ["ledger", "optimal", "heapless", "instructions", "ticks", "view_ticks", "app"];
/// The importance function in the summary, which the tick uses.
const SUMMARY: &str = "solid_angle";
const TICK: &str = "tick";
const TICKS: [&str; 4] = ["default", "tick_few", "tick_angular", "worst"];
/// The policies and scenes of whole ticks, and the frames that are counted for each.
const POLICIES: [&str; 7] =
    ["keep", "default", "optimal", "limited", "priority", "zoom", "frustum"];
const FRAMES: [&str; 5] = ["median", "worst", "first", "halved", "observe"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProgramSize {
    pub(crate) flash: u64,
    pub(crate) ram: u64,
}

/// Instructions per call, by the call's name.
type InstructionCounts = BTreeMap<String, f64>;

struct MeasuredProgram {
    board: BoardEntry,
    ledger: ProgramSize,
    optimal: ProgramSize,
    scene: ProgramSize,
    app: ProgramSize,
    stack: Option<Stack>,
    backends: BTreeMap<String, InstructionCounts>,
    /// The same for whole ticks: policy and frame, joined by `_`.
    whole: BTreeMap<String, InstructionCounts>,
}

pub(crate) fn run(steps: &mut Steps, json: bool) -> Result<(), TaskError> {
    qemu::install_boards(steps)?;
    let mut all = Vec::new();
    for board in boards::emulated() {
        all.push(measure(steps, board)?);
    }
    if json {
        println!(
            "{:#}",
            json!({ "schema": 1, "targets": all.iter().map(as_json).collect::<Vec<_>>() })
        );
    } else {
        print!("\n{}", CountTable(&all));
    }
    Ok(())
}

fn measure(steps: &mut Steps, board: &BoardEntry) -> Result<MeasuredProgram, TaskError> {
    let folder = boards::build(steps, board, &PROGRAMS)?;
    steps.work(&format!("instructions {}", board.name), || {
        Ok(MeasuredProgram {
            ledger: size(&folder.join("ledger"))?,
            optimal: size(&folder.join("optimal"))?,
            scene: size(&folder.join("heapless"))?,
            app: size(&folder.join("app"))?,
            stack: (board.architecture() == Architecture::CortexM)
                .then(|| Stack::of(board, &folder.join("app")))
                .transpose()?,
            backends: run_programs(board, &folder, &["instructions"])?,
            whole: run_programs(board, &folder, &["ticks", "view_ticks"])?,
            board: board.clone(),
        })
    })
}

fn run_programs(
    board: &BoardEntry,
    folder: &Path,
    programs: &[&str],
) -> Result<BTreeMap<String, InstructionCounts>, TaskError> {
    let (mut lines, mut are_ended) = (String::new(), true);
    for program in programs {
        let (status, bytes) = qemu::output(board, &folder.join(program), &[])?;
        lines.push_str(&String::from_utf8_lossy(&bytes));
        are_ended &= status.success();
    }
    counts(&lines)
        .filter(|_| are_ended)
        .ok_or_else(|| TaskError::Invalid(format!("{} printed no counts:\n{lines}", board.name)))
}

fn counts(lines: &str) -> Option<BTreeMap<String, InstructionCounts>> {
    let mut backends = BTreeMap::<String, InstructionCounts>::new();
    for line in lines.lines() {
        let mut words = line.split_whitespace();
        let (backend, what) = (words.next()?.to_lowercase(), words.next()?.to_owned());
        let (all, times) = (words.next()?.parse::<f64>().ok()?, words.next()?.parse::<f64>().ok()?);
        let each = (all / times * 10.0).round() / 10.0;
        backends.entry(backend).or_default().insert(what, each);
    }
    (!backends.is_empty()).then_some(backends)
}

/// Adds up the loaded and the reserved sections of a program.
pub(crate) fn size(elf: &Path) -> Result<ProgramSize, TaskError> {
    let bytes = boards::read(elf)?;
    let file = boards::parse(elf, &bytes)?;
    let mut size = ProgramSize { flash: 0, ram: 0 };
    for section in file.sections() {
        // riscv-rt declares the rest of the RAM as sections for heap and stack.
        if matches!(section.name(), Ok(".heap" | ".stack")) {
            continue;
        }
        match section.kind() {
            SectionKind::Text | SectionKind::ReadOnlyData => size.flash += section.size(),
            SectionKind::UninitializedData => size.ram += section.size(),
            SectionKind::Data => {
                size.flash += section.size();
                size.ram += section.size();
            }
            _ => {}
        }
    }
    Ok(size)
}

fn as_json(measured: &MeasuredProgram) -> Value {
    let backend = |name: &str, counts: &InstructionCounts| {
        let others: BTreeMap<_, _> = TICKS.iter().map(|&tick| (tick, counts.get(tick))).collect();
        let whole = measured.whole.get(name).map(|whole| {
            let frames =
                |policy| FRAMES.map(|frame| (frame, whole.get(&whole_tick(policy, frame))));
            POLICIES.map(|policy| (policy, BTreeMap::from(frames(policy))))
        });
        json!({
            "importance": counts.get(SUMMARY),
            "tick_per_actor": counts.get(TICK),
            "other_ticks_per_actor": others,
            "whole_ticks_per_actor": whole.map(BTreeMap::from),
            "functions": counts,
        })
    };
    let backends = measured.backends.iter();
    let backends: serde_json::Map<String, Value> =
        backends.map(|(name, counts)| (name.clone(), backend(name, counts))).collect();
    json!({
        "target": measured.board.target,
        "machine": measured.board.machine,
        "flash_bytes": measured.ledger.flash,
        "ram_bytes": measured.ledger.ram,
        "optimal_flash_bytes": measured.optimal.flash,
        "scene_flash_bytes": measured.scene.flash,
        "scene_ram_bytes": measured.scene.ram,
        "app_flash_bytes": measured.app.flash,
        "app_ram_bytes": measured.app.ram,
        "app_stack": measured.stack.map(Stack::as_json),
        "backends": backends,
    })
}

fn column(name: &str) -> usize {
    let tick = TICKS.iter().position(|&tick| tick == name);
    tick.map_or(if name == TICK { 0 } else { TICKS.len() + 1 }, |index| index + 1)
}

struct CountTable<'a>(&'a [MeasuredProgram]);

impl fmt::Display for CountTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for [first, a, b, c, d, e, g, h] in [
            ["bytes", "ledger", "", "optimal", "scene", "", "app", ""],
            ["target", "flash", "ram", "flash", "flash", "ram", "flash", "ram"],
        ] {
            writeln!(f, "{first:27} {a:>8} {b:>8} {c:>8} {d:>8} {e:>8} {g:>9} {h:>8}")?;
        }
        for MeasuredProgram { board, ledger, optimal, scene, app, .. } in self.0 {
            let (flash, ram) = (ledger.flash, ledger.ram);
            write!(f, "{:27} {flash:8} {ram:8} {:8}", board.target, optimal.flash)?;
            writeln!(f, " {:8} {:8} {:9} {:8}", scene.flash, scene.ram, app.flash, app.ram)?;
        }
        writeln!(f, "\ninstructions (QEMU -icount, no cycles) a call; benefit and tick: an actor")?;
        let names = self.0.iter().flat_map(|measured| measured.backends.values());
        let mut names: Vec<&str> =
            names.take(1).flat_map(InstructionCounts::keys).map(String::as_str).collect();
        names.sort_by_key(|&name| column(name));
        write!(f, "{:27} {:6}", "target", "")?;
        names.iter().try_for_each(|name| write!(f, " {name:>12}"))?;
        writeln!(f)?;
        for MeasuredProgram { board, backends, .. } in self.0 {
            for (backend, counts) in backends {
                write!(f, "{:27} {backend:6}", board.target)?;
                let count = |name: &&str| counts.get(*name).copied().unwrap_or(f64::NAN);
                names.iter().try_for_each(|name| write!(f, " {:12.1}", count(name)))?;
                writeln!(f)?;
            }
        }
        writeln!(
            f,
            "tick: 64 actors, leftovers kept\n\
             default: the same with leftovers spent, as the default policy does\n\
             tick_angular: the same with angular importance; tick_few: 8 actors a module instead of 32\n\
             worst: all three at once\n\
             tick_column: the same tick where each actor has a ladder of its own to look up\n\
             search, steady: a tick of the optimal policy from nothing, and after another one with stability"
        )?;
        self.whole_ticks(f)?;
        writeln!(
            f,
            "ram: data and bss, without the stack; scene: 64 actors in 4 modules of 5 levels, `Fixed`"
        )?;
        let stacks = self.0.iter().filter_map(|m| Some((&m.board, m.stack?)));
        StackTable(stacks.collect()).fmt(f)
    }
}

fn whole_tick(policy: &str, frame: &str) -> String {
    format!("{policy}_{frame}")
}

impl CountTable<'_> {
    fn whole_ticks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\ninstructions of a whole tick and its reported times, an actor")?;
        write!(f, "{:27} {:6} {:8}", "target", "", "policy")?;
        FRAMES.iter().try_for_each(|frame| write!(f, " {frame:>8}"))?;
        writeln!(f)?;
        for MeasuredProgram { board, whole, .. } in self.0 {
            for (backend, counts) in whole {
                for policy in POLICIES {
                    write!(f, "{:27} {backend:6} {policy:8}", board.target)?;
                    for frame in FRAMES {
                        let count = counts.get(&whole_tick(policy, frame)).copied();
                        write!(f, " {:8.1}", count.unwrap_or(f64::NAN))?;
                    }
                    writeln!(f)?;
                }
            }
        }
        writeln!(
            f,
            "64 actors in 4 modules, `Scene::tick` and `observe_time` of each module, with hysteresis; limited: `set_max_passes(Some(1))`\n\
             priority, zoom, frustum: the default policy with a priority for each actor, or such a view\n\
             median, worst: of 64 frames; first: the first frame; halved: a frame with half of the budget; observe: the reports of times"
        )
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stack {
    used: u64,
    left: u64,
}

impl Stack {
    fn of(board: &BoardEntry, elf: &Path) -> Result<Self, TaskError> {
        let mut command = qemu::command(board, elf, &[]);
        command.args(["-serial", "null", "-icount", "shift=6"]).stdout(Stdio::null());
        let (status, said) = qemu::errors(&mut command)?;
        let stack = Self::said(&said).filter(|_| status.success());
        stack.ok_or_else(|| {
            TaskError::Invalid(format!("{} did not say what its stack took:\n{said}", board.name))
        })
    }

    /// Reads `stack: N bytes used, M left`.
    fn said(lines: &str) -> Option<Self> {
        let figures = lines.lines().find_map(|line| line.strip_prefix("stack: "))?;
        let (used, left) = figures.split_once(" bytes used, ")?;
        Some(Self { used: used.parse().ok()?, left: left.strip_suffix(" left")?.parse().ok()? })
    }

    fn as_json(self) -> Value {
        json!({ "used_bytes": self.used, "left_bytes": self.left })
    }
}

struct StackTable<'a>(Vec<(&'a BoardEntry, Stack)>);

impl fmt::Display for StackTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nbytes of the app's stack    {:>8} {:>8}", "used", "left")?;
        for (board, Stack { used, left }) in &self.0 {
            writeln!(f, "{:27} {used:8} {left:8}", board.target)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Stack, counts};

    #[test]
    fn counts_are_read_for_each_number_type() {
        let backends = counts("Fixed tick 640 64\nFixed age 333 32\nf32 tick 6401 64\n").unwrap();
        let text = |backend: &str, what: &str| backends[backend][what].to_string();
        assert_eq!(text("fixed", "tick"), "10");
        assert_eq!(text("fixed", "age"), "10.4");
        assert_eq!(text("f32", "tick"), "100");
        assert!(counts("").is_none() && counts("Fixed tick").is_none());
    }

    #[test]
    fn the_output_of_a_program_is_read() {
        let said = Stack::said("something else\nstack: 1234 bytes used, 56 left\n");
        assert_eq!(said, Some(Stack { used: 1_234, left: 56 }));
        assert_eq!(Stack::said("stack: 1234 bytes used"), None);
    }
}
