//! The proportional policy alone, with all leftovers, whole levels and fractions. Measures the flash that it takes; must not
//! contain panics.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use core::hint::black_box;

    use lodger_core::Benefit;
    use lodger_core::budget::{
        Carryover, CompactUpgrade, IndexColumn, LadderSpan, Ladders, Leftovers, ModuleInput,
        ModuleView, Policy, Request, Scratch, decide,
    };
    use lodger_core::units::{BenefitValue, Budget};
    use lodger_programs::board::exit;

    const ROWS: usize = 20;
    const COSTS: [u32; 5] = [100, 1_000, 2_500, 5_000, 9_000];
    const SPANS: [LadderSpan; 2] = [LadderSpan::new(0, 5, 0), LadderSpan::new(1, 3, 1)];

    static IDS: [u32; ROWS] = column(1, 20);
    static LADDER: [u32; ROWS] = column(1, 2);
    static BENEFITS: [Benefit; ROWS] = {
        let bits: [u32; ROWS] = column(2_221, 1 << 16);
        let mut benefits = [Benefit::ZERO; ROWS];
        let mut row = 0;
        while row < ROWS {
            benefits[row] = Benefit::from_bits(bits[row]);
            row += 1;
        }
        benefits
    };

    const fn column(step: u32, end: u32) -> [u32; ROWS] {
        let mut column = [0; ROWS];
        let mut row = 1;
        while row < ROWS {
            column[row] = (column[row - 1] + step) % end;
            row += 1;
        }
        column
    }

    #[lodger_programs::board::entry]
    fn main() -> ! {
        let input = ModuleInput {
            benefit_value: BenefitValue::from_ns(black_box(9_000)),
            continuous: false,
            ladders: Ladders { spans: black_box(&SPANS), costs: black_box(&COSTS) },
            ladder: IndexColumn::Words(black_box(&LADDER)),
            benefits: black_box(&BENEFITS),
        };
        let policies = [
            Leftovers::Keep,
            Leftovers::WithinModule,
            Leftovers::AcrossModules,
            Leftovers::WholeBudget,
        ];
        let mut spent = 0_u64;
        for leftovers in black_box(policies) {
            spent = spent.wrapping_add(frame(input, leftovers));
            spent = spent.wrapping_add(frame(ModuleInput { continuous: true, ..input }, leftovers));
        }
        // Minimums cost, so that the sum is not 0.
        exit((spent == 0).into())
    }

    #[inline(never)]
    fn frame(input: ModuleInput<'_>, leftovers: Leftovers) -> u64 {
        let budget = Budget::from_ns(black_box(60_000));
        let (mut levels, mut fractions) = ([0; ROWS], [0; ROWS]);
        let module_view = ModuleView {
            input,
            ids: IndexColumn::Words(&IDS),
            levels: &mut levels,
            fractions: &mut fractions,
            ..ModuleView::default()
        };
        let request = Request {
            budget,
            reserved: 0,
            policy: Policy::Proportional(leftovers),
            ..Request::default()
        };
        let scratch = Scratch { upgrades: &mut [CompactUpgrade::default(); ROWS], moves: &mut [] };
        decide(&request, &mut Carryover::default(), &mut [module_view][..], scratch).assigned
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
