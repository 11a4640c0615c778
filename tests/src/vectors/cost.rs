//! `vectors/cost.toml`.

use serde::Deserialize;

/// The text of `vectors/cost.toml`.
pub const COST: &str = include_str!("../../vectors/cost.toml");

macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $kind:ty,)+ })+) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, PartialEq, Deserialize)]
            #[serde(deny_unknown_fields)]
            pub struct $name {
                /// What the row is about.
                pub name: String,
                $($(#[$field_doc])* pub $field: $kind,)+
            }
        )+
    };
}

rows! {
    /// Static mesh.
    Streaming {
        /// A named set of rules.
        rules: String,
        /// Metres.
        radius: f64,
        /// From the lowest LOD to the high one.
        bytes: [i32; 4],
        /// The cost.
        expected: f64,
    }
    /// The document's equation.
    AreaForm {
        /// A named set of rules.
        rules: String,
        /// Metres.
        radius: f64,
        /// From the lowest LOD to the high one.
        bytes: [i32; 4],
        /// A byte's cost.
        cost_scalar: f64,
        /// The cost.
        expected: f64,
    }
    /// Animated mesh.
    Animated {
        /// From the lowest LOD to the high one.
        bytes: [i32; 4],
        /// Whether it is the root of its linkset.
        root: bool,
        /// The cost.
        expected: f64,
    }
    /// A physical linkset.
    Penalty {
        /// The cost without penalty.
        base: f64,
        /// Metres.
        size: [f64; 3],
        /// The cost.
        expected: f64,
    }
    /// Convex hulls.
    Hulls {
        /// Of each hull.
        vertices: u16,
        /// How many hulls; one is the hull around the whole.
        hulls: u16,
        /// The cost.
        expected: f64,
    }
    /// A physics mesh.
    Mesh {
        /// Its one triangle.
        triangle: [[f64; 3]; 3],
        /// How many times.
        count: usize,
        /// Metres.
        scale: [f64; 3],
        /// The cost.
        expected: f64,
    }
    /// Server weight.
    Server {
        /// Of the linkset.
        prims: u32,
        /// In all prims.
        scripts: u32,
        /// Whether the first script is free.
        one_free: bool,
        /// The weight.
        expected: f64,
    }
    /// Simulator cost.
    Simulator {
        /// Factor, active cost high and low, linkset factor.
        parameters: [f64; 4],
        /// Prims of the linkset.
        objects: u32,
        /// Scripted, physical or both.
        active: bool,
        /// The cost.
        expected: f64,
    }
    /// Land impact.
    LandImpact {
        /// Streaming, physics, server.
        weights: [f64; 3],
        /// The land impact.
        value: u32,
        /// The weight that is named.
        limited_by: String,
    }
}

/// All rows of the file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostVectors {
    /// Static mesh.
    pub streaming: Vec<Streaming>,
    /// The document's equation.
    pub area_form: Vec<AreaForm>,
    /// Animated mesh.
    pub animated: Vec<Animated>,
    /// Physical linksets.
    pub penalty: Vec<Penalty>,
    /// Convex hulls.
    pub hulls: Vec<Hulls>,
    /// Physics meshes.
    pub mesh: Vec<Mesh>,
    /// Server weights.
    pub server: Vec<Server>,
    /// Simulator costs.
    pub simulator: Vec<Simulator>,
    /// Land impacts.
    pub land_impact: Vec<LandImpact>,
}

impl CostVectors {
    /// Reads the file's text.
    ///
    /// # Errors
    /// Whatever is not a row.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }
}
