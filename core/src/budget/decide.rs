//! The entry point of all decisions.

use super::decision::Decision;
use super::last::Carryover;
use super::module_view::Modules;
use super::optimal::optimal;
use super::policy::{Policy, Request};
use super::proportional::proportional;
use super::scratch::Scratch;
use super::upgrade_queue::CandidateUpgrade;

/// Decides the LOD of every automatic actor.
///
/// `carryover` holds the state of the previous frame, by default a first frame, and receives the state for the next. A
/// decision depends on it, the previous levels in [`ModuleView::previous`](super::ModuleView::previous), the input, the
/// scratch memory and the request, and on nothing else.
///
/// # Examples
/// ```
/// use lodger_core::budget::{
///     IndexColumn, ModuleInput, Upgrade, ModuleView, LadderSpan, Ladders, Leftovers, Policy, Request, Scratch, Carryover, decide,
/// };
/// use lodger_core::units::{BenefitValue, Budget};
/// use lodger_core::Benefit;
///
/// // Two capes at 0, 100 or 400 ns; the nearer one has three times the benefit.
/// let benefits = [Benefit::new(0.75_f32)?, Benefit::new(0.25_f32)?];
/// let input = ModuleInput {
///     benefit_value: BenefitValue::from_ns(1_000),
///     continuous: false,
///     ladders: Ladders { spans: &[LadderSpan::new(0, 3, 0)], costs: &[0, 100, 400] },
///     ladder: IndexColumn::default(), // all have the first ladder
///     benefits: &benefits,
/// };
/// let mut levels = [0; 2];
/// let mut capes = [ModuleView { input, ids: IndexColumn::Bytes(&[0, 1]), levels: &mut levels, ..ModuleView::default() }];
///
/// // The targets are 750 and 250 ns; 500 ns leave 375 and 125, which pay 100 ns each.
/// let policy = Policy::Proportional(Leftovers::Keep);
/// let request = Request { budget: Budget::from_ns(500), policy, ..Request::default() };
/// let mut carryover = Carryover::default();
/// let decision = decide(&request, &mut carryover, &mut capes[..], Scratch::default());
/// assert_eq!((decision.scale.to_f64(), decision.assigned), (0.5, 200));
///
/// // The leftover 300 ns go to the nearer cape, which needs all of them.
/// let request = Request { policy: Policy::Proportional(Leftovers::AcrossModules), ..request };
/// let scratch = Scratch { upgrades: &mut [Upgrade::default(); 2], moves: &mut [] };
/// let decision = decide(&request, &mut carryover, &mut capes[..], scratch);
/// assert_eq!((decision.assigned, levels), (500, [2, 1]));
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[inline]
pub fn decide<W: Modules + ?Sized, U: CandidateUpgrade>(
    request: &Request,
    carryover: &mut Carryover,
    modules: &mut W,
    scratch: Scratch<'_, U>,
) -> Decision {
    const { assert!(!W::WIDE || U::HAS_COST, "a wide scene needs upgrades of 16 bytes") };
    let Scratch { upgrades, moves } = scratch;
    match request.policy {
        Policy::Proportional(leftovers) => {
            proportional(request, leftovers, carryover, modules, upgrades)
        }
        Policy::Optimal => optimal(request, carryover, modules, upgrades, moves),
    }
}
