//! Budgets of energy and of bytes in place of time: a sensor node that measures in nanojoules, and sends a packet of limited
//! size. The log is the same on every board.
//!
//! A scene adds and compares costs; their unit is the program's. Here 1 ns stands for 1 nJ, then for 1 byte.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use lodger_heapless::{
        Actor, Benefit, BenefitValue, Budget, Fixed, Module, Scene, SceneError, UnitCost,
    };
    use lodger_programs::board::{HostLink, finish};

    const SENSORS: usize = 6;
    type Sensors = Scene<Fixed, 1, SENSORS, 5>;

    /// The benefit of each sensor, in percent.
    const BENEFITS: [u8; SENSORS] = [100, 80, 60, 40, 20, 10];

    #[lodger_programs::board::entry]
    fn main() -> ! {
        let _host = HostLink::open();
        finish(&energy().and(radio()))
    }

    fn spawn(scene: &mut Sensors, module: Module<Fixed>, work: &[u32]) -> Result<(), SceneError> {
        let module = scene.add_module(module)?;
        for percent in BENEFITS {
            let benefit = Benefit::new(f32::from(percent) / 100.0)?;
            scene.spawn(module, Actor::from_benefit(benefit, work))?;
        }
        Ok(())
    }

    /// Measures within an energy for each period. A gauge measures what the samples took, and corrects their cost.
    fn energy() -> Result<(), SceneError> {
        const SAMPLES: [u32; 5] = [1, 4, 16, 64, 256];
        let mut scene = Sensors::new();
        // An estimate of 900 nJ for a sample; a sensor at benefit 1 may take 300 µJ.
        let module =
            Module::new(UnitCost::from_ns(900.0)?).benefit_value(BenefitValue::from_units(300_000));
        spawn(&mut scene, module, &SAMPLES)?;
        for budget_nj in [400_000, 200_000, 50_000] {
            let (mut used, mut over) = (0, 0);
            for _ in 0..60 {
                let plan = scene.tick(Budget::from_units(budget_nj));
                let Some(sensors) = plan.modules().next() else { return Ok(()) };
                // Stands for the gauge: each sample takes 1 035 nJ.
                used = sensors.units * 1_035;
                over += u32::from(used > budget_nj);
                scene.observe_time(sensors.module, used)?;
            }
            defmt::info!(
                "{=u64} nJ: {=u64} nJ used, {=u32} of 60 periods over",
                budget_nj,
                used,
                over
            );
        }
        Ok(())
    }

    /// Packs readings into packets of `LoRaWAN`. Sizes are exact, so that nothing is measured and no headroom is kept.
    fn radio() -> Result<(), SceneError> {
        const BYTES: [u32; 5] = [0, 2, 8, 24, 64];
        let mut scene = Sensors::new();
        scene.set_headroom_target(None);
        spawn(
            &mut scene,
            Module::new(UnitCost::from_ns(1.0)?).benefit_value(BenefitValue::from_units(80)),
            &BYTES,
        )?;
        // The largest payloads in Europe at the data rates 5, 3 and 0 (Regional Parameters, RP002).
        for packet in [222, 115, 51] {
            let plan = scene.tick(Budget::from_units(packet));
            let Some(readings) = plan.modules().next() else { return Ok(()) };
            defmt::info!("{=u64} bytes: {=u64} sent", packet, readings.units);
        }
        Ok(())
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
