//! The distribution of the leftover budget, without hysteresis.
//!
//! Actors are upgraded by falling benefit, each as far as the budget allows. Most often it pays few upgrades: each next
//! actor is then found by a pass, without sorting.

use core::ops::Range;

use super::demand::ModuleInput;
use super::lod::Lod;
use super::module_view::{ModuleView, Modules};
use super::policy::Hysteresis;
use super::upgrade_queue::{Upgrade, UpgradeQueue};
use crate::benefit::Benefit;

const LITTLE: u32 = 3;
const PASSES: usize = 16;

pub(super) fn spend<W: Modules + ?Sized>(
    modules: &mut W,
    indices: Range<usize>,
    leftover: u64,
    scratch: &mut [Upgrade],
) -> u64 {
    let mut steps = StepRange { least: u32::MAX, longest: 0 };
    for index in indices.clone() {
        modules.visit(index, |module| steps.see(&module.input));
    }
    let mut seek = Seek { left: leftover, greatest: Benefit::MAX.bits(), least_step: steps.least };
    let is_little = leftover >> LITTLE <= u64::from(steps.longest);
    let mut passes = if is_little { 0..PASSES } else { 0..0 };
    if passes.any(|_| !seek.serve_next(modules, indices.clone())) {
        return leftover.wrapping_sub(seek.left);
    }
    let spent = serve_in_order(modules, indices, seek.left, scratch);
    leftover.wrapping_sub(seek.left).wrapping_add(spent)
}

fn serve_in_order<W: Modules + ?Sized>(
    modules: &mut W,
    indices: Range<usize>,
    leftover: u64,
    scratch: &mut [Upgrade],
) -> u64 {
    let mut upgrades = UpgradeQueue::new(scratch);
    for index in indices {
        modules.visit(index, |module| module.gather(index, &mut upgrades, Hysteresis::OFF));
    }
    upgrades.spend(leftover, 0, |index, row, money| {
        modules.visit(index, |module| module.raise(row, money)).unwrap_or(0)
    })
}

struct StepRange {
    least: u32,
    longest: u32,
}

impl StepRange {
    fn see(&mut self, index: &ModuleInput<'_>) {
        self.least = self.least.min(index.least_step());
        for ladder in index.ladders.iter() {
            self.longest = self.longest.max(ladder.maximum().wrapping_sub(ladder.minimum()));
        }
    }
}

struct Seek {
    left: u64,
    greatest: u32,
    least_step: u32,
}

impl Seek {
    fn serve_next<W: Modules + ?Sized>(&mut self, modules: &mut W, indices: Range<usize>) -> bool {
        let Self { left, greatest, least_step } = *self;
        if left < u64::from(least_step) {
            return false;
        }
        let mut next = NextUpgrade::default();
        for index in indices {
            modules.visit(index, |module| module.seek(index, left, greatest, &mut next));
        }
        if next.benefit == 0 {
            return false;
        }
        let price = modules.visit(next.index, |module| module.raise(next.row, left)).unwrap_or(0);
        (self.left, self.greatest) = (left.saturating_sub(price), next.benefit);
        true
    }
}

#[derive(Default)]
struct NextUpgrade {
    benefit: u32,
    id: u32,
    index: usize,
    row: usize,
}

impl ModuleView<'_> {
    #[inline(never)]
    fn seek(&self, number: usize, leftover: u64, greatest: u32, next: &mut NextUpgrade) {
        let first = self.input.ladders.ladder(0);
        let mut most = next.benefit.max(1);
        for (benefit, row) in self.input.benefits.iter().zip(0_usize..) {
            // Nearly all actors are skipped here.
            if benefit.bits() < most {
                continue;
            }
            if benefit.bits() > greatest {
                continue;
            }
            let ladder = self.input.ladder.get(row);
            let ladder = ladder.map_or(first, |&id| self.input.ladders.ladder(id));
            let (Some(&level), Some(&id)) = (self.levels.get(row), self.ids.get(row)) else {
                return;
            };
            let rises = if self.input.continuous {
                let lod = Lod::new(level, self.fractions.get(row).copied().unwrap_or(0));
                ladder.raise(lod, leftover, true).1 > 0
            } else {
                let level_index = usize::from(level.wrapping_sub(ladder.lowest()));
                let higher = ladder.costs().get(level_index..).unwrap_or(&[]);
                matches!(higher, [now, above, ..] if u64::from(above.wrapping_sub(*now)) <= leftover)
            };
            if rises && (benefit.bits() > next.benefit || id < next.id) {
                most = benefit.bits();
                *next = NextUpgrade { benefit: most, id, index: number, row };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::super::ladder::{LadderSpan, Ladders};
    use super::super::scale::Scale;
    use super::*;
    use crate::units::BenefitValue;

    #[derive(Debug, Clone, Default)]
    struct Columns {
        continuous: bool,
        spans: Vec<LadderSpan>,
        costs: Vec<u32>,
        ladder: Vec<u32>,
        benefits: Vec<Benefit>,
        ids: Vec<u32>,
        levels: Vec<u8>,
        fractions: Vec<u16>,
        assigned: u64,
    }

    impl Columns {
        fn module(&mut self) -> ModuleView<'_> {
            let ladders = Ladders { spans: &self.spans, costs: &self.costs };
            let input = ModuleInput {
                benefit_value: BenefitValue::from_ns(100),
                continuous: self.continuous,
                ladders,
                ladder: &self.ladder,
                benefits: &self.benefits,
            };
            ModuleView {
                input,
                ids: &self.ids,
                levels: &mut self.levels,
                fractions: &mut self.fractions,
                assigned: self.assigned,
                ..ModuleView::default()
            }
        }

        fn assign(&mut self, scale: Scale) {
            let mut module = self.module();
            module.assign(scale);
            self.assigned = module.assigned;
        }
    }

    fn with_module_views<R>(
        modules: &mut [Columns],
        call: impl FnOnce(&mut [ModuleView<'_>]) -> R,
    ) -> R {
        let mut module_views: Vec<_> = modules.iter_mut().map(Columns::module).collect();
        let result = call(&mut module_views);
        let assigned: Vec<_> = module_views.iter().map(|module| module.assigned).collect();
        for (module, assigned) in modules.iter_mut().zip(assigned) {
            module.assigned = assigned;
        }
        result
    }

    fn sorted(module_views: &mut [ModuleView<'_>], indices: Range<usize>, leftover: u64) -> u64 {
        let mut order = Vec::new();
        for index in indices {
            let module = &module_views[index];
            for (row, (&benefit, &id)) in module.input.benefits.iter().zip(module.ids).enumerate() {
                if benefit > Benefit::ZERO {
                    order.push((core::cmp::Reverse(benefit), id, index, row));
                }
            }
        }
        order.sort_unstable();
        order.into_iter().fold(0, |spent, (_, _, index, row)| {
            spent + module_views[index].raise_to(row, leftover - spent, Lod::BEYOND)
        })
    }

    fn ladder() -> impl Strategy<Value = Vec<u32>> {
        let cost = prop_oneof![0_u32..8, 0_u32..60, 0_u32..4_000, 1_u32 << 18..1 << 20];
        let costs = prop::collection::vec(cost, 1..6);
        (costs, any::<bool>()).prop_map(|(mut costs, is_free)| {
            if is_free {
                costs[0] = 0;
            }
            costs.sort_unstable();
            costs
        })
    }

    fn module(actors: usize) -> impl Strategy<Value = Columns> {
        let benefit = prop_oneof![0_u32..4, 0_u32..70_000, Just(65_536), 0_u32..1 << 24];
        let ladders = prop::collection::vec(ladder(), 1..5);
        let rows = prop::collection::vec((benefit, 0_u32..5), 0..actors);
        (any::<bool>(), ladders, rows, any::<bool>()).prop_map(
            |(continuous, ladders, rows, has_column)| {
                let mut columns = Columns { continuous, ..Columns::default() };
                for costs in &ladders {
                    let start = u32::try_from(columns.costs.len()).unwrap();
                    let len = u16::try_from(costs.len()).unwrap();
                    columns.spans.push(LadderSpan::new(start, len, 2));
                    columns.costs.extend(costs);
                }
                let many = u32::try_from(ladders.len()).unwrap();
                for (benefit, ladder) in rows {
                    columns.benefits.push(Benefit::from_bits(benefit));
                    if has_column {
                        columns.ladder.push(ladder % many);
                    }
                    columns.levels.push(0);
                    columns.fractions.push(0);
                }
                columns
            },
        )
    }

    fn modules() -> impl Strategy<Value = Vec<Columns>> {
        let modules = prop_oneof![
            prop::collection::vec(module(10), 1..4),
            prop::collection::vec(module(80), 1..3)
        ];
        (modules, any::<u32>()).prop_map(|(mut modules, mix)| {
            // All ids are different, and in no order.
            let mut id = mix;
            for module in &mut modules {
                for _ in &module.benefits {
                    id = id.wrapping_add(0x9e_3779);
                    module.ids.push(id & 0xff_ffff);
                }
            }
            modules
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn leftovers_are_spent_in_sorted_order(
            modules in modules(),
            scale in prop_oneof![Just(0), 0..=1_u64 << 32],
            leftover in prop_oneof![0_u64..10, 0_u64..500, 0_u64..20_000, 0_u64..1 << 24],
            only in prop::option::of(0_usize..4),
        ) {
            let mut start = modules;
            for module in &mut start {
                module.assign(Scale::from_bits(scale));
            }
            let indices = match only {
                Some(index) if index < start.len() => index..index + 1,
                _ => 0..start.len(),
            };
            let [mut expected, mut sought, mut in_order] = [start.clone(), start.clone(), start];
            let spent = with_module_views(&mut expected, |module_views| sorted(module_views, indices.clone(), leftover));
            let mut scratch = std::vec![Upgrade::default(); 240];
            let got = with_module_views(&mut sought, |module_views| spend(module_views, indices.clone(), leftover, &mut scratch));
            prop_assert_eq!(got, spent);
            let got = with_module_views(&mut in_order, |module_views| {
                serve_in_order(module_views, indices.clone(), leftover, &mut scratch)
            });
            prop_assert_eq!(got, spent);
            for other in [sought, in_order] {
                for (module, expected) in other.iter().zip(&expected) {
                    prop_assert_eq!(&module.levels, &expected.levels);
                    prop_assert_eq!(&module.fractions, &expected.fractions);
                    prop_assert_eq!(module.assigned, expected.assigned);
                }
            }
        }
    }

    #[test]
    fn actors_not_found_by_passes_are_upgraded_in_order() {
        // One step costs 1 in one ladder and 100 in the other, which no actor has.
        let mut module = Columns {
            spans: std::vec![LadderSpan::new(0, 2, 0), LadderSpan::new(2, 2, 0)],
            costs: std::vec![0, 1, 0, 100],
            benefits: (1..=40).map(Benefit::from_bits).collect(),
            ids: (0..40).collect(),
            levels: std::vec![0; 40],
            ..Columns::default()
        };
        let mut scratch = [Upgrade::default(); 40];
        let spent = with_module_views(core::slice::from_mut(&mut module), |module_views| {
            spend(module_views, 0..1, 30, &mut scratch)
        });
        assert_eq!(spent, 30);
        assert_eq!(module.levels, [[0; 10].as_slice(), &[1; 30]].concat());
        assert!(
            scratch.iter().any(|upgrade| *upgrade != Upgrade::default()),
            "{PASSES} passes found all actors"
        );
    }
}
