//! The optimal policy alone, with and without hysteresis, whole levels and fractions, and certificates. Must not contain
//! panics.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use core::hint::black_box;

    use lodger_core::Benefit;
    use lodger_core::budget::{
        Carryover, CompactUpgrade, Decision, Hysteresis, IndexColumn, LadderSpan, Ladders,
        ModuleInput, ModuleView, Move, Policy, PreviousLevel, Quality, Request, Scratch, Slope,
        Slopes, certify, decide,
    };
    use lodger_core::units::{BenefitValue, Budget};
    use lodger_programs::board::exit;

    const ROWS: usize = 12;
    const COSTS: [u32; 8] = [100, 1_000, 2_500, 5_000, 9_000, 0, 700, 4_000];
    const QUALITIES: [u16; 8] = [0, 9_000, 12_000, 30_000, 1 << 15, 0, 11_000, 1 << 15];
    /// The costs of different ladders do not overlap.
    const SPANS: [LadderSpan; 2] = [LadderSpan::new(0, 5, 0), LadderSpan::new(5, 3, 1)];

    #[lodger_programs::board::entry]
    fn main() -> ! {
        let mut spent = 0_u64;
        for continuous in black_box([false, true]) {
            for hysteresis in black_box([Hysteresis::OFF, Hysteresis::TYPICAL]) {
                let request = Request {
                    budget: Budget::from_ns(black_box(30_000)),
                    policy: Policy::Optimal,
                    hysteresis,
                    max_upgrades: black_box(Some(3)),
                    ..Request::default()
                };
                spent = spent.wrapping_add(frames(&request, continuous));
            }
        }
        // Minimums cost, so that the sum is not 0.
        exit((spent == 0).into())
    }

    #[inline(never)]
    fn frames(request: &Request, continuous: bool) -> u64 {
        let mut benefits = [Benefit::ZERO; ROWS];
        let (mut ladder, mut ids, mut previous) =
            ([0; ROWS], [0; ROWS], [PreviousLevel::NONE; ROWS]);
        let rows = benefits.iter_mut().zip(&mut ladder).zip(&mut ids);
        for (((benefit, ladder), id), row) in rows.zip(0_u32..) {
            *benefit = Benefit::from_bits(row.wrapping_mul(2_221));
            (*ladder, *id) = (row & 1, row);
        }
        let qualities = QUALITIES.map(Quality::from_bits);
        let (mut levels, mut fractions) = ([0; ROWS], [0; ROWS]);
        let mut slopes = [Slope::default(); COSTS.len()];
        let (mut carryover, mut assigned) = (Carryover::default(), 0_u64);
        for _ in 0..2 {
            let input = ModuleInput {
                benefit_value: BenefitValue::from_ns(black_box(9_000)),
                continuous,
                ladders: Ladders { spans: black_box(&SPANS), costs: black_box(&COSTS) },
                ladder: IndexColumn::Words(&ladder),
                benefits: &benefits,
            };
            let mut module_views = [ModuleView {
                input,
                ids: IndexColumn::Words(&ids),
                levels: &mut levels,
                fractions: &mut fractions,
                qualities: black_box(&qualities),
                slopes: Slopes { of_costs: &mut slopes, ..Slopes::default() },
                previous: &previous,
                ..ModuleView::default()
            }];
            let scratch = Scratch {
                upgrades: &mut [CompactUpgrade::default(); ROWS],
                moves: &mut [Move::default(); 8],
            };
            let Decision { assigned: cost, .. } =
                decide(request, &mut carryover, &mut module_views[..], scratch);
            let certificate = certify(request, &mut module_views[..]);
            assigned = assigned.wrapping_add(cost).wrapping_add(certificate.upper_bound);
            for (previous, &level) in previous.iter_mut().zip(&levels) {
                *previous = PreviousLevel::automatic(level);
            }
        }
        assigned
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
