//! What the user builds: views, modules and actors, and the budget for all of them.

use lodger_core::Real;
use lodger_core::benefit::BenefitRule;
use lodger_core::budget::{Bid, Leftovers, MAX_MODULES};
use lodger_core::error::{Error, Problem, Quantity};
use lodger_core::units::{BenefitValue, Budget, UnitCost};

use crate::error::SceneError;
use crate::module::{Module, ModuleId, ModuleState};
use crate::tick::Outcome;
use crate::view::View;

/// The handle of a view in its scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewId(u32);

/// Where an actor is: its module and its row there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) generation: u32,
    pub(crate) place: Option<(u32, u32)>,
}

/// Actors at several levels of detail each, and a budget that all of them share.
///
/// `N` is the number type that benefits are computed in; see [`lodger_core::real`].
#[derive(Debug, Clone)]
pub struct Scene<N: Real = f32> {
    pub(crate) budget: Budget,
    pub(crate) leftovers: Leftovers,
    pub(crate) count_unmanaged: bool,
    views: Vec<Option<View<N>>>,
    pub(crate) eyes: Vec<[N; 3]>,
    pub(crate) modules: Vec<ModuleState<N>>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) free: Vec<u32>,
    /// Kept from tick to tick for its memory.
    pub(crate) room: Vec<Bid>,
    pub(crate) outcome: Outcome,
}

impl<N: Real> Scene<N> {
    /// An empty scene.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self {
            budget,
            leftovers: Leftovers::default(),
            count_unmanaged: true,
            views: Vec::new(),
            eyes: Vec::new(),
            modules: Vec::new(),
            slots: Vec::new(),
            free: Vec::new(),
            room: Vec::new(),
            outcome: Outcome::default(),
        }
    }

    /// What a tick may spend.
    #[doc(alias = "setLODResourceBudget")]
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// Who may spend what shares leave over. [`Leftovers::AcrossModules`] unless this is called.
    pub fn set_leftovers(&mut self, leftovers: Leftovers) {
        self.leftovers = leftovers;
    }

    /// Whether the actors of disabled modules are paid from the budget. They are, unless this is
    /// called; APEX 1.3 left them off the books.
    pub fn set_count_unmanaged(&mut self, count: bool) {
        self.count_unmanaged = count;
    }

    /// Adds a view. Without one, the distance importance of all actors is 0.
    #[doc(alias = "allocViewMatrix")]
    #[doc(alias = "allocProjMatrix")]
    pub fn add_view(&mut self, view: View<N>) -> ViewId {
        self.views.push(Some(view));
        self.eyes.push(view.position());
        ViewId(index(self.views.len() - 1))
    }

    /// Moves a view.
    ///
    /// # Errors
    /// [`SceneError::NoSuchView`].
    #[doc(alias = "setViewMatrix")]
    #[doc(alias = "setProjMatrix")]
    pub fn set_view(&mut self, id: ViewId, view: View<N>) -> Result<(), SceneError> {
        self.change_view(id, Some(view))
    }

    /// Takes a view away. Its handle is not used again.
    ///
    /// # Errors
    /// [`SceneError::NoSuchView`].
    pub fn remove_view(&mut self, id: ViewId) -> Result<(), SceneError> {
        self.change_view(id, None)
    }

    fn change_view(&mut self, id: ViewId, view: Option<View<N>>) -> Result<(), SceneError> {
        let place = self.views.get_mut(id.0 as usize).filter(|view| view.is_some());
        *place.ok_or(SceneError::NoSuchView)? = view;
        self.eyes.clear();
        self.eyes.extend(self.views.iter().flatten().map(View::position));
        Ok(())
    }

    /// A view as it was set last.
    #[must_use]
    pub fn view(&self, id: ViewId) -> Option<&View<N>> {
        self.views.get(id.0 as usize)?.as_ref()
    }

    /// Adds a module.
    ///
    /// # Errors
    /// [`Problem::TooLarge`] beyond [`MAX_MODULES`].
    pub fn add_module(&mut self, module: Module<N>) -> Result<ModuleId, SceneError> {
        if self.modules.len() >= MAX_MODULES as usize {
            return Err(Error::new(Quantity::Count, Problem::TooLarge).into());
        }
        self.modules.push(ModuleState::new(module)?);
        Ok(ModuleId(index(self.modules.len() - 1)))
    }

    /// Prices the work of a module anew.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`]; [`Problem::TooLarge`] if a level of an actor would cost 4.29 s
    /// or more, and then nothing has changed.
    #[doc(alias = "setLODUnitCost")]
    pub fn set_unit_cost(&mut self, id: ModuleId, cost: UnitCost) -> Result<(), SceneError> {
        let module = self.module_mut(id)?;
        module.ladders.reprice(cost)?;
        module.unit_cost = cost;
        Ok(())
    }

    /// What a unit of a module's work costs.
    #[doc(alias = "getLODUnitCost")]
    #[must_use]
    pub fn unit_cost(&self, id: ModuleId) -> Option<UnitCost> {
        self.modules.get(id.0 as usize).map(|module| module.unit_cost)
    }

    /// Sets what a unit of benefit may cost in a module.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    #[doc(alias = "setLODBenefitValue")]
    pub fn set_benefit_value(&mut self, id: ModuleId, v: BenefitValue) -> Result<(), SceneError> {
        self.module_mut(id)?.benefit_value = v;
        Ok(())
    }

    /// What a unit of benefit may cost in a module.
    #[doc(alias = "getLODBenefitValue")]
    #[must_use]
    pub fn benefit_value(&self, id: ModuleId) -> Option<BenefitValue> {
        self.modules.get(id.0 as usize).map(|module| module.benefit_value)
    }

    /// Sets how the benefit of a module's actors is computed.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`]; what [`BenefitRule::curve`] refuses, and then nothing has
    /// changed.
    pub fn set_benefit_rule(
        &mut self,
        id: ModuleId,
        rule: BenefitRule<N>,
    ) -> Result<(), SceneError> {
        let module = self.module_mut(id)?;
        let curves = module.rows.radius.iter().map(|&radius| rule.curve(radius));
        module.rows.curve = curves.collect::<Result<_, _>>()?;
        module.rule = rule;
        Ok(())
    }

    /// Whether the LODs of a module are chosen; else every actor that is not forced has its highest.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    #[doc(alias = "setLODEnabled")]
    pub fn set_enabled(&mut self, id: ModuleId, enabled: bool) -> Result<(), SceneError> {
        self.module_mut(id)?.enabled = enabled;
        Ok(())
    }

    pub(crate) fn module_mut(&mut self, id: ModuleId) -> Result<&mut ModuleState<N>, SceneError> {
        self.modules.get_mut(id.0 as usize).ok_or(SceneError::NoSuchModule)
    }
}

/// An index into a vector of at most 2³² elements.
pub(crate) fn index(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
