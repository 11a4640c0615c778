//! The input of a scene: views, modules and actors.

use std::ops::RangeInclusive;

use lodger_core::benefit::{ActorState, BenefitRule};
use lodger_core::budget::{Lod, LodControl, Quality};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::units::{BenefitValue, UnitCost};
use lodger_core::{Benefit, Real};

/// A position from which a scene is seen.
///
/// Several views are allowed (APEX allowed one); the importance of an actor is computed for the nearest
/// view. A projection is not needed: the importance of an actor depends only on its distance and radius.
#[doc(alias = "allocProjMatrix")]
#[doc(alias = "setProjMatrix")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View<N> {
    eye: [N; 3],
}

impl<N: Real> View<N> {
    /// Makes a view from a position in metres.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`].
    pub fn from_position(position: [N; 3]) -> Result<Self, ValueError> {
        for component in position {
            component.finite(Quantity::Position)?;
        }
        Ok(Self { eye: position })
    }

    /// Makes a view from a view matrix: four columns, right-handed, in `f32` or `f64`, as glam's
    /// `to_cols_array_2d` and OpenGL have it. With the feature `glam` there is `View::try_from`.
    ///
    /// The eye is `inverse(view) · (0, 0, 0, 1)`, computed in double precision because a view far from
    /// the origin needs it.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`] or [`ValueProblem::Singular`] for the matrix, [`ValueProblem::TooLarge`] if the
    /// eye does not fit the number type.
    ///
    /// # Examples
    /// ```
    /// use lodger_scheduler::View;
    ///
    /// // Looks along −z from (1, 2, 5), so the world moves the other way.
    /// let mut view = [[0.0_f32; 4]; 4];
    /// for i in 0..4 {
    ///     view[i][i] = 1.0;
    /// }
    /// view[3] = [-1.0, -2.0, -5.0, 1.0];
    /// assert_eq!(View::<f32>::from_matrix(view)?.position(), [1.0, 2.0, 5.0]);
    /// assert!(View::<f32>::from_matrix([[0.0_f32; 4]; 4]).is_err());
    /// # Ok::<(), lodger_core::Error>(())
    /// ```
    #[doc(alias = "allocViewMatrix")]
    #[doc(alias = "setViewMatrix")]
    pub fn from_matrix<M: Into<f64>>(view: [[M; 4]; 4]) -> Result<Self, ValueError> {
        let columns = view.map(|column| column.map(Into::into));
        let refuse = |problem| ValueError::new(Quantity::View, problem);
        if !columns.iter().flatten().all(|number| number.is_finite()) {
            return Err(refuse(ValueProblem::NotFinite));
        }
        let cofactors = last_row_cofactors(columns);
        let determinant: f64 = (0..4).map(|k| columns[k][3] * cofactors[k]).sum();
        if determinant == 0.0 {
            return Err(refuse(ValueProblem::Singular));
        }
        let [x, y, z, w] = cofactors;
        let component = |value: f64| N::from_f64(value / w).ok_or(refuse(ValueProblem::TooLarge));
        Ok(Self { eye: [component(x)?, component(y)?, component(z)?] })
    }

    /// Returns the position of the eye, in metres.
    pub fn position(&self) -> [N; 3] {
        self.eye
    }
}

/// Returns the cofactors of the last row of a matrix of columns: the last column of its inverse, times
/// its determinant.
fn last_row_cofactors([a, b, c, d]: [[f64; 4]; 4]) -> [f64; 4] {
    let minor = |p: [f64; 4], q: [f64; 4], r: [f64; 4]| {
        p[0] * (q[1] * r[2] - q[2] * r[1]) - q[0] * (p[1] * r[2] - p[2] * r[1])
            + r[0] * (p[1] * q[2] - p[2] * q[1])
    };
    [-minor(b, c, d), minor(a, c, d), -minor(a, b, d), minor(a, b, c)]
}

#[cfg(feature = "glam")]
impl<N: Real> TryFrom<glam::Mat4> for View<N> {
    type Error = ValueError;

    /// Calls [`View::from_matrix`].
    fn try_from(view: glam::Mat4) -> Result<Self, ValueError> {
        Self::from_matrix(view.to_cols_array_2d())
    }
}

#[cfg(feature = "glam")]
impl<N: Real> TryFrom<glam::DMat4> for View<N> {
    type Error = ValueError;

    /// Calls [`View::from_matrix`].
    fn try_from(view: glam::DMat4) -> Result<Self, ValueError> {
        Self::from_matrix(view.to_cols_array_2d())
    }
}

/// The constants that actors of one kind share.
///
/// # Examples
/// ```
/// use lodger_scheduler::{BenefitValue, Module, UnitCost};
///
/// // Half a microsecond for a cloth vertex; a cape close to the viewer may cost 2 ms.
/// let cloth = Module::<f32>::new("cloth", UnitCost::from_ns(500.0)?, BenefitValue::from_ms(2.0)?);
/// # Ok::<(), lodger_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Module<N: Real> {
    pub(crate) name: String,
    pub(crate) unit_cost: UnitCost,
    pub(crate) benefit_value: BenefitValue,
    pub(crate) rule: Option<BenefitRule<N>>,
    pub(crate) managed: bool,
    pub(crate) continuous: bool,
    pub(crate) lod_cap: Option<u8>,
    pub(crate) qualities: Option<Vec<Quality>>,
    pub(crate) overhead: u32,
}

impl<N: Real> Module<N> {
    /// Makes a managed module with integer LODs, whose benefit is the unbounded solid angle.
    #[must_use]
    pub fn new(name: impl Into<String>, unit_cost: UnitCost, benefit_value: BenefitValue) -> Self {
        Self {
            name: name.into(),
            unit_cost,
            benefit_value,
            rule: None,
            managed: true,
            continuous: false,
            lod_cap: None,
            qualities: None,
            overhead: 0,
        }
    }

    /// Sets the rule by which benefits are computed.
    #[must_use]
    pub fn rule(mut self, rule: BenefitRule<N>) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Sets whether LODs are picked; otherwise every actor that is not forced has its highest LOD.
    #[doc(alias = "setLODEnabled")]
    #[must_use]
    pub fn managed(mut self, managed: bool) -> Self {
        self.managed = managed;
        self
    }

    /// Sets whether LODs between two levels are valid.
    #[must_use]
    pub fn continuous(mut self, continuous: bool) -> Self {
        self.continuous = continuous;
        self
    }

    /// Sets the highest level of actors that are not forced; see
    /// [`Scene::set_lod_cap`](crate::Scene::set_lod_cap).
    #[must_use]
    pub fn lod_cap(mut self, level: u8) -> Self {
        self.lod_cap = Some(level);
        self
    }

    /// Sets the quality of each level, for actors without qualities of their own; even steps from 0 to 1 by
    /// default. An actor with another number of levels is rejected.
    #[must_use]
    pub fn qualities(mut self, qualities: impl Into<Vec<Quality>>) -> Self {
        self.qualities = Some(qualities.into());
        self
    }

    /// Sets the constant part of its work, in units, which does not depend on the number of actors. It is
    /// paid first if the module has an actor, and added to the units of every measurement. A module
    /// without actors does no work, and costs nothing.
    #[must_use]
    pub fn overhead(mut self, units: u32) -> Self {
        self.overhead = units;
        self
    }
}

/// An actor to be spawned.
///
/// Its work is the units at LOD 0, 1, 2 and so on, in the module's unit: at most 256 levels, not
/// decreasing.
///
/// # Examples
/// ```
/// use lodger_scheduler::{Actor, Benefit, State};
///
/// let cape = Actor::at([1.0_f32, 0.0, 2.0], 0.8, &[0, 400, 1_600]).key(17);
/// let state = State { position: [1.0_f32, 0.0, 2.0], age: 3.0, speed: 0.5 };
/// let spark = Actor::from_state(state, 0.8, &[0, 20, 80]).lod_range(1..=2);
/// let crate_ = Actor::<f32>::from_benefit(Benefit::new(0.4_f32)?, &[1, 12]);
/// # Ok::<(), lodger_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Actor<'a, N> {
    pub(crate) state: ActorState<N>,
    pub(crate) radius: N,
    pub(crate) given: Option<Benefit>,
    pub(crate) work: &'a [u32],
    pub(crate) lod_range: Option<(u8, u8)>,
    pub(crate) qualities: Option<&'a [Quality]>,
    pub(crate) control: LodControl,
    pub(crate) visible: bool,
    pub(crate) key: u64,
}

impl<'a, N: Real> Actor<'a, N> {
    /// Makes an actor with a computed benefit, from its position and the radius of its bounding sphere in
    /// metres; age and speed are 0.
    #[must_use]
    pub const fn at(position: [N; 3], radius: N, work: &'a [u32]) -> Self {
        Self::from_state(ActorState { position, age: N::ZERO, speed: N::ZERO }, radius, work)
    }

    /// Makes an actor with a computed benefit, from its position, age and speed; the radius is in metres.
    #[must_use]
    pub const fn from_state(state: ActorState<N>, radius: N, work: &'a [u32]) -> Self {
        Self {
            state,
            radius,
            given: None,
            work,
            lod_range: None,
            qualities: None,
            control: LodControl::Automatic,
            visible: true,
            key: 0,
        }
    }

    /// Makes an actor with a given benefit, for modules with benefits of their own. It has no position
    /// until [`Scene::set_state`](crate::Scene::set_state) sets it, and needs none.
    #[must_use]
    pub const fn from_benefit(benefit: Benefit, work: &'a [u32]) -> Self {
        Self::at([N::ZERO; 3], N::ZERO, work).benefit(benefit)
    }

    /// Overrides its benefit, as [`Scene::set_benefit_override`](crate::Scene::set_benefit_override) does. Its state is kept
    /// for the case that the override is removed.
    #[must_use]
    pub const fn benefit(mut self, benefit: Benefit) -> Self {
        self.given = Some(benefit);
        self
    }

    /// Sets the valid LODs; all levels by default.
    #[must_use]
    pub const fn lod_range(mut self, range: RangeInclusive<u8>) -> Self {
        self.lod_range = Some((*range.start(), *range.end()));
        self
    }

    /// Sets the quality of each level, valid or not, not decreasing; the qualities of its module by
    /// default.
    #[must_use]
    pub const fn qualities(mut self, qualities: &'a [Quality]) -> Self {
        self.qualities = Some(qualities);
        self
    }

    /// Forces a LOD, clamped to the valid range.
    #[must_use]
    pub const fn forced(mut self, lod: Lod) -> Self {
        self.control = LodControl::Forced(lod);
        self
    }

    /// Sets whether the actor is visible; see [`Scene::set_visible`](crate::Scene::set_visible). It is
    /// visible by default.
    #[must_use]
    pub const fn visible(mut self, visible: bool) -> Self {
        self.visible = visible;
        self
    }

    /// Sets the user's key, which plans and changes contain. It is 0 by default, and need not be unique.
    #[must_use]
    pub const fn key(mut self, key: u64) -> Self {
        self.key = key;
        self
    }
}
