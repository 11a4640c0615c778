//! The input of a scene: views, modules and actors as a user describes them.

use std::ops::RangeInclusive;

use lodger_core::benefit::{BenefitRule, State};
use lodger_core::budget::{Lod, LodControl, Quality};
use lodger_core::error::{Error, Problem, Quantity};
use lodger_core::units::{BenefitValue, UnitCost};
use lodger_core::{Benefit, Real};

/// A place that a scene is seen from.
///
/// Several views are allowed (APEX allowed one); an actor matters as much as it does to the nearest.
/// A projection is not asked for, as no importance depends on one: an actor's is a matter of its
/// distance and its radius alone.
#[doc(alias = "allocProjMatrix")]
#[doc(alias = "setProjMatrix")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View<N> {
    eye: [N; 3],
}

impl<N: Real> View<N> {
    /// An eye at a position in metres.
    ///
    /// # Errors
    /// [`Problem::NotFinite`].
    pub fn eye(position: [N; 3]) -> Result<Self, Error> {
        for component in position {
            component.finite(Quantity::Position)?;
        }
        Ok(Self { eye: position })
    }

    /// A camera by its view matrix: four columns, right-handed, in `f32` or `f64`, as glam's
    /// `to_cols_array_2d` and OpenGL have it. With the feature `glam` there is `View::try_from`.
    ///
    /// The eye is `inverse(view) · (0, 0, 0, 1)`, computed in double precision as a view far from
    /// the origin has little to spare.
    ///
    /// # Errors
    /// [`Problem::NotFinite`] or [`Problem::Singular`] for the matrix, [`Problem::TooLarge`] when the
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
    pub fn from_matrix<M: Into<f64>>(view: [[M; 4]; 4]) -> Result<Self, Error> {
        let columns = view.map(|column| column.map(Into::into));
        let refuse = |problem| Error::new(Quantity::View, problem);
        if !columns.iter().flatten().all(|number| number.is_finite()) {
            return Err(refuse(Problem::NotFinite));
        }
        let cofactors = last_row_cofactors(columns);
        let determinant: f64 = (0..4).map(|k| columns[k][3] * cofactors[k]).sum();
        if determinant == 0.0 {
            return Err(refuse(Problem::Singular));
        }
        let [x, y, z, w] = cofactors;
        let component = |value: f64| N::from_f64(value / w).ok_or(refuse(Problem::TooLarge));
        Ok(Self { eye: [component(x)?, component(y)?, component(z)?] })
    }

    /// The position of the eye, in metres.
    pub fn position(&self) -> [N; 3] {
        self.eye
    }
}

/// The cofactors of the last row of a matrix of columns: the last column of its inverse, times its
/// determinant.
fn last_row_cofactors([a, b, c, d]: [[f64; 4]; 4]) -> [f64; 4] {
    let minor = |p: [f64; 4], q: [f64; 4], r: [f64; 4]| {
        p[0] * (q[1] * r[2] - q[2] * r[1]) - q[0] * (p[1] * r[2] - p[2] * r[1])
            + r[0] * (p[1] * q[2] - p[2] * q[1])
    };
    [-minor(b, c, d), minor(a, c, d), -minor(a, b, d), minor(a, b, c)]
}

#[cfg(feature = "glam")]
impl<N: Real> TryFrom<glam::Mat4> for View<N> {
    type Error = Error;

    /// Does what [`View::from_matrix`] does, with the same errors.
    fn try_from(view: glam::Mat4) -> Result<Self, Error> {
        Self::from_matrix(view.to_cols_array_2d())
    }
}

#[cfg(feature = "glam")]
impl<N: Real> TryFrom<glam::DMat4> for View<N> {
    type Error = Error;

    /// Does what [`View::from_matrix`] does, with the same errors.
    fn try_from(view: glam::DMat4) -> Result<Self, Error> {
        Self::from_matrix(view.to_cols_array_2d())
    }
}

/// What the actors of one kind share.
///
/// # Examples
/// ```
/// use lodger_scheduler::{BenefitValue, Module, UnitCost};
///
/// // Half a microsecond a cloth vertex; a cape in the face of the viewer may cost 2 ms.
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
    /// A managed module with integer LODs, whose benefit is the unbounded solid angle.
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

    /// Sets how the benefit of its actors is computed.
    #[must_use]
    pub fn rule(mut self, rule: BenefitRule<N>) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Sets whether LODs are chosen; else every actor that is not forced has its highest.
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

    /// Sets the highest level that an actor gets unless it is forced; see
    /// [`Scene::set_lod_cap`](crate::Scene::set_lod_cap).
    #[must_use]
    pub fn lod_cap(mut self, level: u8) -> Self {
        self.lod_cap = Some(level);
        self
    }

    /// Sets how good each level of its actors is, unless they say it themselves: even steps from 0 to 1,
    /// if this is not called. An actor with another number of levels is refused.
    #[must_use]
    pub fn qualities(mut self, qualities: impl Into<Vec<Quality>>) -> Self {
        self.qualities = Some(qualities.into());
        self
    }

    /// Sets the constant part of its work, in units: what it takes however few actors it has. It is
    /// paid first while the module has an actor, whatever that one does, and counted with every time
    /// that is measured. A module that nobody is in does not work, and pays nothing.
    #[must_use]
    pub fn overhead(mut self, units: u32) -> Self {
        self.overhead = units;
        self
    }
}

/// An actor to be spawned.
///
/// Its work is the units at LOD 0, 1, 2 and so on, in the unit that the module counts: at most 256
/// levels, and the work does not decrease.
///
/// # Examples
/// ```
/// use lodger_scheduler::{Actor, Benefit, State};
///
/// let cape = Actor::seen([1.0_f32, 0.0, 2.0], 0.8, &[0, 400, 1_600]).key(17);
/// let state = State { position: [1.0_f32, 0.0, 2.0], age: 3.0, speed: 0.5 };
/// let spark = Actor::in_state(state, 0.8, &[0, 20, 80]).lod_range(1..=2);
/// let crate_ = Actor::<f32>::given(Benefit::new(0.4_f32)?, &[1, 12]);
/// # Ok::<(), lodger_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Actor<'a, N> {
    pub(crate) state: State<N>,
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
    /// An actor whose benefit is computed: its position and the radius of its bounding sphere in
    /// metres; age and speed are 0.
    #[must_use]
    pub const fn seen(position: [N; 3], radius: N, work: &'a [u32]) -> Self {
        Self::in_state(State { position, age: N::ZERO, speed: N::ZERO }, radius, work)
    }

    /// An actor whose benefit is computed, also from its age and its speed; the radius is in metres.
    #[must_use]
    pub const fn in_state(state: State<N>, radius: N, work: &'a [u32]) -> Self {
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

    /// An actor whose benefit is given, as that of APEX modules may be anything. It has no place
    /// until [`Scene::set_state`](crate::Scene::set_state) gives it one, and needs none.
    #[must_use]
    pub const fn given(benefit: Benefit, work: &'a [u32]) -> Self {
        Self::seen([N::ZERO; 3], N::ZERO, work).benefit(benefit)
    }

    /// Gives it its benefit, as [`Scene::set_benefit`](crate::Scene::set_benefit) does: its state is kept
    /// for when that is taken back.
    #[must_use]
    pub const fn benefit(mut self, benefit: Benefit) -> Self {
        self.given = Some(benefit);
        self
    }

    /// Sets which LODs are valid. All levels of the work are, unless this is called.
    #[must_use]
    pub const fn lod_range(mut self, range: RangeInclusive<u8>) -> Self {
        self.lod_range = Some((*range.start(), *range.end()));
        self
    }

    /// Sets how good each level is: as many as there are levels, valid or not, and not decreasing. Those
    /// of its module, unless this is called.
    #[must_use]
    pub const fn qualities(mut self, qualities: &'a [Quality]) -> Self {
        self.qualities = Some(qualities);
        self
    }

    /// Forces a LOD that the application chooses. Outside the range it is clamped.
    #[must_use]
    pub const fn forced(mut self, lod: Lod) -> Self {
        self.control = LodControl::Forced(lod);
        self
    }

    /// Sets whether anybody can see it; see [`Scene::set_visible`](crate::Scene::set_visible). It is
    /// visible unless this is called.
    #[must_use]
    pub const fn visible(mut self, visible: bool) -> Self {
        self.visible = visible;
        self
    }

    /// Gives it a number of the user's own, which plans and changes carry. It is 0 unless this is
    /// called, and several actors may have the same.
    #[must_use]
    pub const fn key(mut self, key: u64) -> Self {
        self.key = key;
        self
    }
}
