//! What is odd in a file, but possible.

use std::fmt;
use std::ops::Range;

use crate::gltf_error::SkinError;
use crate::place::{Subject, spans};

/// Something in a file that is odd, but possible; its `Display` says what it is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Warning {
    /// What is odd.
    pub kind: WarningKind,
    /// What it is about.
    pub subject: Subject,
    /// The bytes of the text that it is about, if the file is one.
    pub span: Option<Range<usize>>,
}

/// What is odd.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WarningKind {
    /// A position is not finite, so that its actor will be quarantined.
    NoPlace {
        /// The actor.
        name: String,
    },
    /// The level that is forced is none of the actor's.
    Clamped {
        /// What the file forces.
        lod: f64,
        /// The lowest valid level.
        lowest: u32,
        /// The highest valid level.
        highest: u32,
    },
    /// The file requires an extension that is not read and may change geometry.
    NotRead {
        /// Its name.
        extension: String,
    },
    /// The file requires an extension that compresses geometry in a way that is not read.
    Compressed {
        /// Its name.
        extension: String,
    },
    /// The file has no scenes, so that none of its nodes is shown.
    NoScenes {
        /// How many nodes it has.
        nodes: usize,
    },
    /// Only some leaves of a Streamed SOG say their errors, so that none are taken.
    FewErrors {
        /// How many do.
        leaves: usize,
        /// How many there are.
        of: usize,
    },
    /// The vertices of a skinned mesh cannot be put where its joints put them.
    NotSkinned {
        /// The node with the mesh, by its index in the file.
        node: usize,
        /// The name of that node.
        name: String,
        /// Why they cannot.
        error: SkinError,
    },
}

impl Warning {
    pub(crate) const fn new(kind: WarningKind, subject: Subject) -> Self {
        Self { kind, subject, span: None }
    }

    const fn key(&self) -> &'static str {
        match self.kind {
            WarningKind::NoPlace { .. } => "position",
            WarningKind::Clamped { .. } => "force_lod",
            _ => "",
        }
    }
}

/// Puts warnings at their places in a text, in their order.
pub(crate) fn locate(warnings: &mut [Warning], text: &str) {
    let spans = spans(text, warnings.iter().map(|warning| (warning.subject, warning.key())));
    for (warning, span) in warnings.iter_mut().zip(spans) {
        warning.span = span;
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            WarningKind::NoPlace { name } => write!(
                f,
                "the position of `{name}` is not finite: the actor is quarantined at its lowest LOD"
            ),
            WarningKind::Clamped { lod, lowest, highest } => write!(
                f,
                "`force_lod` {lod} is outside the LODs {lowest} to {highest} and is clamped"
            ),
            WarningKind::NotRead { extension } => write!(
                f,
                "the file requires {extension}, which lodger does not read: its triangles and \
                 places may be others"
            ),
            WarningKind::Compressed { extension } => write!(
                f,
                "the file requires {extension}, which lodger does not read: triangles and boxes \
                 are those that the file declares"
            ),
            WarningKind::NoScenes { nodes } => {
                write!(f, "the file has {nodes} nodes, but no scene that shows any of them")
            }
            WarningKind::FewErrors { leaves, of } => write!(
                f,
                "only {leaves} of {of} leaves have `errors`: quality goes by the counts of splats"
            ),
            WarningKind::NotSkinned { node, name, error } => write!(
                f,
                "node {node} `{name}` has a skin, but stands where its mesh does without one: \
                 {error}"
            ),
        }
    }
}
