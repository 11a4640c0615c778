//! Modules, their prices and what their work took.
#![allow(unsafe_code, reason = "a function that C calls has a name of its own in the program")]

use std::time::Duration;

use lodger_scheduler::{BenefitValue, ModuleId, UnitCost};

use crate::abi::{ASSIGNED, ModuleDesc, ModuleHandle, ModuleReport, NO_CAP, SceneHandle, Status};
use crate::desc;
use crate::failure::Failure;
use crate::memory::{In, Out};
use crate::place::Placed;
use crate::shelf;

/// Adds a module.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_add(
    scene: SceneHandle,
    desc: In<ModuleDesc>,
    out: Out<ModuleHandle>,
) -> Status {
    shelf::change(scene, |placed| {
        let (module, out) = (desc.desc()?.module()?, out.check()?);
        out.write(placed.scene.add_module(module)?.to_bits())
    })
}

/// Makes room for so many more actors.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_reserve(
    scene: SceneHandle,
    module: ModuleHandle,
    actors: usize,
) -> Status {
    with(scene, module, |placed, id| Ok(placed.scene.reserve(id, actors)?))
}

/// Prices its work anew.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_set_unit_cost(
    scene: SceneHandle,
    module: ModuleHandle,
    ns: f64,
) -> Status {
    with(scene, module, |placed, id| Ok(placed.scene.set_unit_cost(id, UnitCost::from_ns(ns)?)?))
}

/// Sets what a benefit of 1 may cost.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_set_benefit_value(
    scene: SceneHandle,
    module: ModuleHandle,
    ns: u32,
) -> Status {
    let value = BenefitValue::from_ns(ns);
    with(scene, module, |placed, id| Ok(placed.scene.set_benefit_value(id, value)?))
}

/// Sets how benefits are computed.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_set_rule(
    scene: SceneHandle,
    module: ModuleHandle,
    desc: In<ModuleDesc>,
) -> Status {
    with(scene, module, |placed, id| Ok(placed.scene.set_benefit_rule(id, desc.desc()?.rule()?)?))
}

/// Sets whether its levels are chosen.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_set_managed(
    scene: SceneHandle,
    module: ModuleHandle,
    managed: u32,
) -> Status {
    with(scene, module, |placed, id| Ok(placed.scene.set_managed(id, managed != 0)?))
}

/// Sets the highest level that is not forced.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_set_lod_cap(
    scene: SceneHandle,
    module: ModuleHandle,
    level: u32,
) -> Status {
    with(scene, module, |placed, id| Ok(placed.scene.set_lod_cap(id, desc::lod_cap(level)?)?))
}

/// Sets the constant part of its work.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_set_overhead(
    scene: SceneHandle,
    module: ModuleHandle,
    units: u32,
) -> Status {
    with(scene, module, |placed, id| Ok(placed.scene.set_overhead(id, units)?))
}

/// Takes in how long its work took.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_measured(
    scene: SceneHandle,
    module: ModuleHandle,
    units: u64,
    ns: u64,
) -> Status {
    with(scene, module, |placed, id| {
        let units = match units {
            ASSIGNED => placed.scene.plan().module(id).map_or(0, |plan| plan.units),
            units => units,
        };
        Ok(placed.scene.measured(id, units, Duration::from_nanos(ns))?)
    })
}

/// What was decided for it.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_report_of(
    scene: SceneHandle,
    module: ModuleHandle,
    out: Out<ModuleReport>,
) -> Status {
    shelf::read(scene, |placed| {
        let id = id(module)?;
        let there = placed.scene.module_len(id);
        there.ok_or(Failure::NoSuchModule)?;
        let undecided = Failure::Refused("no tick has decided for this module yet");
        let plan = placed.scene.plan().module(id).ok_or(undecided)?;
        out.write_struct(ModuleReport {
            size: 0,
            managed: plan.managed.into(),
            actors: plan.actors as u64,
            assigned_ns: plan.assigned_ns,
            target_ns: plan.target_ns,
            units: plan.units,
            benefit: plan.benefit,
            unit_cost_ns: plan.unit_cost.ns(),
            raw_unit_cost_ns: plan.raw_unit_cost.ns(),
            overhead: plan.overhead,
            lod_cap: plan.lod_cap.map_or(NO_CAP, u32::from),
        })
    })
}

pub(super) fn id(module: ModuleHandle) -> Result<ModuleId, Failure> {
    ModuleId::from_bits(module).ok_or(Failure::NoSuchModule)
}

fn with(
    scene: SceneHandle,
    module: ModuleHandle,
    work: impl FnOnce(&mut Placed, ModuleId) -> Result<(), Failure>,
) -> Status {
    shelf::change(scene, |placed| work(placed, id(module)?))
}
