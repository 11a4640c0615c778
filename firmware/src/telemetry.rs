//! Reports of frames as the messages that a host draws a table of.

use heapless::{String, Vec};
use lodger_core::units::UnitCost;
use lodger_wire::telemetry::{Frame, ModuleFrame};

use crate::report::{FrameReport, MAX_LEVELS, ModuleReport};
use crate::scene::LEVELS;

const _: () = assert!(LEVELS <= MAX_LEVELS && MAX_LEVELS <= lodger_wire::telemetry::LEVELS);

impl From<&FrameReport> for Frame {
    fn from(report: &FrameReport) -> Self {
        let named = [("cloth", &report.cloth), ("particles", &report.particles)];
        Self {
            number: report.frame,
            budget: report.budget.ns(),
            overcommit: report.decision.overcommit,
            scale: report.decision.scale.bits(),
            headroom: report.headroom.bits(),
            load: report.load,
            ledger: report.ledger,
            modules: named.into_iter().map(|(name, module)| message(name, module)).collect(),
        }
    }
}

fn message(name: &str, report: &ModuleReport) -> ModuleFrame {
    // Both names are short, and the scene has no more levels than these.
    let name = String::try_from(name).unwrap_or_default();
    let levels: Vec<u16, _> = report.levels.into_iter().take(LEVELS).collect();
    let ModuleReport { quarantined, units, planned, measured, unit_cost, raw_unit_cost, .. } =
        *report;
    let [unit_cost, raw_unit_cost] = [unit_cost, raw_unit_cost].map(UnitCost::bits);
    ModuleFrame { name, levels, quarantined, units, planned, measured, unit_cost, raw_unit_cost }
}

#[cfg(test)]
mod tests {
    use lodger_core::budget::{Book, Leftovers, Load, Policy, Request, Room, Standing, decide};
    use lodger_core::calibration::Headroom;
    use lodger_core::units::Budget;

    use super::*;

    #[test]
    fn a_message_tells_what_the_report_told() {
        let module = ModuleReport {
            levels: [1, 2, 3, 4, 5, 0, 0, 0],
            forced: 1,
            quarantined: 2,
            units: 300,
            planned: 4_000,
            measured: 5_000,
            unit_cost: UnitCost::from_ns(2.0).unwrap(),
            raw_unit_cost: UnitCost::from_ns(1.0).unwrap(),
        };
        // Nobody asks for anything, but what is paid first is too much.
        let budget = Budget::from_ns(9_000);
        let request = Request {
            budget,
            fixed: 9_006,
            policy: Policy::Proportional(Leftovers::Keep),
            ..Request::default()
        };
        let report = FrameReport {
            frame: 7,
            budget,
            fixed: request.fixed,
            headroom: Headroom::from_bits(5),
            load: Load::Tight,
            decision: decide::<[Book<'_>]>(
                &request,
                &mut Standing::default(),
                &mut [],
                Room::default(),
            ),
            ledger: 77,
            cloth: module,
            particles: ModuleReport { measured: 600, ..module },
        };
        let frame = Frame::from(&report);
        assert_eq!((frame.number, frame.budget, frame.overcommit), (7, Some(9_000), 6));
        assert_eq!((frame.scale, frame.ledger, frame.measured()), (0, 77, 5_600));
        assert_eq!((frame.headroom, frame.load), (5, Load::Tight));
        let [cloth, particles] = frame.modules.as_slice() else { panic!("{frame:?}") };
        assert_eq!((cloth.name.as_str(), particles.name.as_str()), ("cloth", "particles"));
        assert_eq!(cloth.levels.as_slice(), [1, 2, 3, 4, 5]);
        assert_eq!((cloth.quarantined, cloth.units, cloth.planned), (2, 300, 4_000));
        assert_eq!((cloth.unit_cost, cloth.raw_unit_cost), (2 << 32, 1 << 32));
        let unlimited = FrameReport { budget: Budget::UNLIMITED, ..report };
        assert_eq!(Frame::from(&unlimited).budget, None);
    }
}
