//! Modules, their costs and measured times.
#![allow(unsafe_code, reason = "a function that C calls has a name of its own in the program")]

use std::time::Duration;

use lodger_scheduler::{BenefitValue, ModuleId, OutsideFactor, Priority, UnitCost};

use crate::abi::{ASSIGNED, ModuleDesc, ModuleHandle, ModuleReport, NO_CAP, SceneHandle, Status};
use crate::error::CallError;
use crate::memory::{In, Out};
use crate::origin::OriginScene;
use crate::{desc, handle_table};

/// Adds a module.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_add(
    scene: SceneHandle,
    desc: In<ModuleDesc>,
    out: Out<ModuleHandle>,
) -> Status {
    handle_table::change(scene, |target| {
        let (module, out) = (desc.desc()?.module()?, out.check()?);
        out.write(handle_table::of_module(target.scene.add_module(module)?))
    })
}

/// Reserves memory for more actors.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_reserve(
    scene: SceneHandle,
    module: ModuleHandle,
    actors: usize,
) -> Status {
    with(scene, module, |target, id| Ok(target.scene.reserve(id, actors)?))
}

/// Sets the cost of a unit of work.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_set_unit_cost(
    scene: SceneHandle,
    module: ModuleHandle,
    ns: f64,
) -> Status {
    with(scene, module, |target, id| Ok(target.scene.set_unit_cost(id, UnitCost::from_ns(ns)?)?))
}

/// Sets the cost that a benefit of 1 is worth.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_set_benefit_value(
    scene: SceneHandle,
    module: ModuleHandle,
    ns: u32,
) -> Status {
    let value = BenefitValue::from_ns(ns);
    with(scene, module, |target, id| Ok(target.scene.set_benefit_value(id, value)?))
}

/// Sets the factor of the benefits of a module's actors.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_set_priority(
    scene: SceneHandle,
    module: ModuleHandle,
    priority: f64,
) -> Status {
    with(scene, module, |target, id| {
        Ok(target.scene.set_module_priority(id, Priority::new(priority)?)?)
    })
}

/// Sets the factor of a module's benefits outside of views.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_set_outside(
    scene: SceneHandle,
    module: ModuleHandle,
    factor: f64,
) -> Status {
    with(scene, module, |target, id| {
        Ok(target.scene.set_outside(id, OutsideFactor::new(factor)?)?)
    })
}

/// Tests the frusta of views again for a module's actors.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_test_views(scene: SceneHandle, module: ModuleHandle) -> Status {
    with(scene, module, |target, id| Ok(target.scene.test_views(id)?))
}

/// Sets the rule that computes benefits.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_set_rule(
    scene: SceneHandle,
    module: ModuleHandle,
    desc: In<ModuleDesc>,
) -> Status {
    with(scene, module, |target, id| Ok(target.scene.set_benefit_rule(id, desc.desc()?.rule()?)?))
}

/// Sets whether the scheduler chooses a module's levels.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_set_managed(
    scene: SceneHandle,
    module: ModuleHandle,
    managed: u32,
) -> Status {
    with(scene, module, |target, id| Ok(target.scene.set_managed(id, managed != 0)?))
}

/// Sets the highest level that is not forced.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_set_lod_cap(
    scene: SceneHandle,
    module: ModuleHandle,
    level: u32,
) -> Status {
    with(scene, module, |target, id| Ok(target.scene.set_lod_cap(id, desc::lod_cap(level)?)?))
}

/// Sets a module's constant work.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_set_overhead(
    scene: SceneHandle,
    module: ModuleHandle,
    units: u32,
) -> Status {
    with(scene, module, |target, id| Ok(target.scene.set_overhead(id, units)?))
}

/// Records the measured time of a module's work.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_observe_time(
    scene: SceneHandle,
    module: ModuleHandle,
    units: u64,
    ns: u64,
) -> Status {
    with(scene, module, |target, id| {
        let units = match units {
            ASSIGNED => target.scene.plan().module(id).map_or(0, |plan| plan.units),
            units => units,
        };
        Ok(target.scene.observe_time(id, units, Duration::from_nanos(ns))?)
    })
}

/// Reports the plan of a module.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_module_report_of(
    scene: SceneHandle,
    module: ModuleHandle,
    out: Out<ModuleReport>,
) -> Status {
    handle_table::read(scene, |target| {
        let id = handle_table::module(module)?;
        let there = target.scene.module_len(id);
        there.ok_or(CallError::NoSuchModule)?;
        let undecided = CallError::Invalid("no tick has decided for this module yet");
        let plan = target.scene.plan().module(id).ok_or(undecided)?;
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

fn with(
    scene: SceneHandle,
    module: ModuleHandle,
    work: impl FnOnce(&mut OriginScene, ModuleId) -> Result<(), CallError>,
) -> Status {
    handle_table::change(scene, |target| work(target, handle_table::module(module)?))
}
