//! The ledger alone: it settles, assigns, bids and spends, in every mode of leftovers, whole levels
//! and fractions. Its size is what the ledger costs a firmware; it must hold nothing that panics.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use core::hint::black_box;

    use lodger_core::Benefit;
    use lodger_core::budget::{Account, Bid, LadderSpan, Ladders, Leftovers, Lod, settle, spend};
    use lodger_core::units::{BenefitValue, Budget};
    use lodger_firmware::board::exit;

    const ROWS: usize = 20;
    const COSTS: [u32; 5] = [100, 1_000, 2_500, 5_000, 9_000];
    const SPANS: [LadderSpan; 2] = [LadderSpan::new(0, 5, 0), LadderSpan::new(1, 3, 1)];

    /// Ids, ladders and benefits in columns, made by the compiler.
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

    /// What one module has decided.
    struct Decided {
        levels: [u8; ROWS],
        fractions: [u16; ROWS],
    }

    #[lodger_firmware::board::entry]
    fn main() -> ! {
        let account = Account {
            benefit_value: BenefitValue::from_ns(black_box(9_000)),
            continuous: false,
            ladders: Ladders { spans: black_box(&SPANS), costs: black_box(&COSTS) },
            ladder: black_box(&LADDER),
            benefits: black_box(&BENEFITS),
        };
        let modes = [
            Leftovers::Keep,
            Leftovers::WithinModule,
            Leftovers::AcrossModules,
            Leftovers::WholeBudget,
        ];
        let mut spent = 0_u64;
        for mode in black_box(modes) {
            spent = spent.wrapping_add(frame(account, mode));
            spent = spent.wrapping_add(frame(Account { continuous: true, ..account }, mode));
        }
        // There are minimums to pay, so something must have been spent.
        exit((spent == 0).into())
    }

    #[inline(never)]
    fn frame(account: Account<'_>, mode: Leftovers) -> u64 {
        let budget = Budget::from_ns(black_box(60_000));
        let settlement = settle(budget, 0, [account].into_iter());
        let mut decided = Decided { levels: [0; ROWS], fractions: [0; ROWS] };
        let Decided { levels, fractions } = &mut decided;
        let cost = account.assign(settlement.scale, levels, fractions);
        let pot = match mode {
            Leftovers::Keep => return cost,
            Leftovers::WithinModule | Leftovers::AcrossModules => account.shares(settlement.scale),
            Leftovers::WholeBudget => settlement.available,
        };
        let pot = pot.saturating_sub(cost);
        let left = upgrade(account, &mut decided, pot);
        cost.wrapping_add(pot).wrapping_sub(left)
    }

    fn upgrade(account: Account<'_>, decided: &mut Decided, pot: u64) -> u64 {
        let Decided { levels, fractions } = decided;
        let mut bids = heapless::Vec::<Bid, ROWS>::new();
        for bid in account.bids(0, &IDS, levels, fractions) {
            // There is room for all of them.
            let _ = bids.push(bid);
        }
        spend(pot, account.least_step(), &mut bids, |bid, pot| {
            let row = bid.row();
            let places = levels.get_mut(row).zip(fractions.get_mut(row));
            let (Some((level, fraction)), Some(&id)) = (places, account.ladder.get(row)) else {
                return 0;
            };
            let ladder = account.ladders.ladder(id);
            let (lod, price) = ladder.raise(Lod::new(*level, *fraction), pot, account.continuous);
            (*level, *fraction) = (lod.level(), lod.fraction());
            price
        })
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
