//! A module as a type, and the errors of its entities.

use std::fmt;

use bevy_ecs::prelude::*;
use bevy_reflect::TypePath;
use lodger_scheduler::SceneError;

/// A module as a type, so that a query for one module cannot read the components of another. Every type with a path
/// is a module.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// #[derive(bevy_reflect::TypePath)]
/// struct Sparks;
///
/// # use scheduler::{BenefitValue, Module, UnitCost};
/// let sparks = Module::new("sparks", UnitCost::from_ns(80.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
/// app.add_plugins(LodModulePlugin::<Sparks>::new(sparks));
/// let plan = app.world().resource::<LodPlan>();
/// assert_eq!(plan.module_id::<Sparks>().and_then(|id| plan.scene().module_name(id)), Some("sparks"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait LodModule: TypePath + Send + Sync + 'static {}

impl<T: TypePath + Send + Sync + 'static> LodModule for T {}

/// Implements `Clone` (with `copy` also `Copy`), `PartialEq` and `Debug` without the bounds on `M` that `derive` adds.
macro_rules! impl_without_bounds {
    (copy $name:ident { $($field:ident),* }) => {
        impl<M: $crate::LodModule> Copy for $name<M> {}

        impl<M: $crate::LodModule> Clone for $name<M> {
            fn clone(&self) -> Self {
                *self
            }
        }

        $crate::module::impl_without_bounds!(compare $name { $($field),* });
    };
    ($name:ident { $($field:ident),* }) => {
        impl<M: $crate::LodModule> Clone for $name<M> {
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone(),)* module: std::marker::PhantomData }
            }
        }

        $crate::module::impl_without_bounds!(compare $name { $($field),* });
    };
    (compare $name:ident { $($field:ident),* }) => {
        impl<M: $crate::LodModule> PartialEq for $name<M> {
            fn eq(&self, other: &Self) -> bool {
                let _ = other;
                true $(&& self.$field == other.$field)*
            }
        }

        impl<M: $crate::LodModule> std::fmt::Debug for $name<M> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let name = format!("{}<{}>", stringify!($name), M::short_type_path());
                f.debug_struct(&name)$(.field(stringify!($field), &self.$field))*.finish()
            }
        }
    };
}
pub(crate) use impl_without_bounds;

/// A message about an entity whose components cannot be applied to the scene. Its previous values stay in force, and other
/// entities are not affected.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.world_mut().spawn(LodActor::<Cloth>::new(1.0, &[0, 400]));
/// app.update();
/// let mut errors = app.world_mut().resource_mut::<Messages<LodError>>();
/// let error = errors.drain().next().unwrap();
/// assert_eq!((error.module, error.problem), ("Cloth", LodProblem::NoTransform));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Message)]
pub struct LodError {
    /// The entity; `None` for a setting of the whole scene.
    pub entity: Option<Entity>,
    /// The short name of the module's type; empty for views and for the scene.
    pub module: &'static str,
    /// The problem.
    pub problem: LodProblem,
}

impl LodError {
    pub(crate) fn of_module<M: LodModule>(
        entity: impl Into<Option<Entity>>,
        problem: LodProblem,
    ) -> Self {
        Self { entity: entity.into(), module: M::short_type_path(), problem }
    }

    pub(crate) fn of_scene(problem: LodProblem) -> Self {
        Self { entity: None, module: "", problem }
    }
}

impl fmt::Display for LodError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(entity) = self.entity {
            write!(f, "{entity}: ")?;
        }
        if !self.module.is_empty() {
            write!(f, "{}: ", self.module)?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for LodError {}

/// The cause of a [`LodError`].
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.world_mut().entity_mut(cape).insert(LodActor::<Cloth>::new(1.0, &[9, 5]));
/// app.update();
/// app.world_mut().entity_mut(cape).insert(LodActor::<Cloth>::new(1.0, &[5, 3]));
/// app.update();
/// let errors: Vec<_> = app.world_mut().resource_mut::<Messages<LodError>>().drain().collect();
/// assert!(errors.iter().all(|error| matches!(error.problem, LodProblem::Invalid(_))));
/// assert_eq!(errors.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum LodProblem {
    /// The app has no [`LodModulePlugin`](crate::LodModulePlugin) for the module. The actor waits for the plugin.
    NoModule,
    /// The entity has no `GlobalTransform`. A new actor or view waits for it; an existing one keeps its last
    /// position.
    NoTransform,
    /// The position is NaN or infinite. An existing actor or view keeps its last position; a new actor is
    /// quarantined at its lowest level, and a new view is ignored.
    NotFinite,
    /// The scene rejected a value: a radius, work that decreases, a range beyond the levels. An existing actor
    /// keeps its values; a new one is not in the scene until its components are valid.
    Invalid(SceneError),
}

impl fmt::Display for LodProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoModule => f.write_str("no LodModulePlugin was added for this module"),
            Self::NoTransform => f.write_str("the entity has no GlobalTransform"),
            Self::NotFinite => f.write_str("the position is not finite"),
            Self::Invalid(error) => error.fmt(f),
        }
    }
}
