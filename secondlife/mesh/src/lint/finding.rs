//! What a check found, and how it is said.

use std::fmt;

use lodger_core::cost::physics::{Hull, Hulls};

use crate::error::Error;
use crate::header::Block;

/// How many thin triangles [`lint`](super::lint) names at most.
pub const THINNEST: usize = 10;

/// How many degenerate triangles of a block [`lint`](super::lint) names at most; the rest is one finding.
pub const MAX_NAMED: usize = 1000;

/// What was found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// The block cannot be read.
    Unreadable(Error),
    /// There is no high level of detail.
    NoHighLod,
    /// A level has another number of faces than the high one.
    FaceCount {
        /// Its faces.
        faces: usize,
        /// Those of the high level.
        high: usize,
    },
    /// A level is the same as the next higher one.
    SameAsNext {
        /// The next higher level that is there.
        next: Block,
    },
    /// A level has more triangles than the next higher one.
    MoreTriangles {
        /// Its triangles.
        triangles: usize,
        /// The next higher level that is there.
        next: Block,
        /// The triangles of that.
        next_triangles: usize,
    },
    /// A triangle has no area.
    Degenerate,
    /// There are more such triangles than [`MAX_NAMED`].
    MoreDegenerate {
        /// How many were not named.
        triangles: usize,
    },
    /// A triangle of the physics mesh is thin, and costs more than twice what the mean one does.
    ThinTriangle {
        /// Its place among them, the most expensive being 1.
        rank: usize,
    },
    /// The domain of the positions is missing, or one corner of it.
    DomainMissing,
    /// There is no hull around the mesh.
    HullMissing {
        /// Which block an uploader would make it from: physics mesh, else medium, else high.
        made_from: Option<Block>,
    },
    /// The hull around the mesh has fewer points than a body needs.
    HullDegenerate {
        /// Its points.
        vertices: usize,
    },
    /// There are more hulls than 256.
    TooManyHulls {
        /// The hulls of the decomposition.
        hulls: usize,
    },
    /// A hull has more vertices than 256.
    TooManyVertices {
        /// Its vertices.
        vertices: usize,
    },
}

impl Kind {
    /// A short text that does not change, for machines; [`Display`](fmt::Display) is for people.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::NoHighLod => "no-high-lod",
            Self::FaceCount { .. } => "face-count",
            Self::SameAsNext { .. } => "same-as-next",
            Self::MoreTriangles { .. } => "more-triangles",
            Self::Degenerate => "degenerate",
            Self::MoreDegenerate { .. } => "more-degenerate",
            Self::ThinTriangle { .. } => "thin-triangle",
            Self::DomainMissing => "domain-missing",
            Self::HullMissing { .. } => "hull-missing",
            Self::HullDegenerate { .. } => "hull-degenerate",
            Self::TooManyHulls { .. } => "too-many-hulls",
            Self::TooManyVertices { .. } => "too-many-vertices",
        }
    }
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FindingSeverity {
    /// Something to mend before an upload.
    Warning,
    /// Information; nothing needs to be done about it.
    Note,
}

impl FindingSeverity {
    /// A word that does not change: `warning` or `note`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// What a finding costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cost {
    /// Bytes that viewers download for nothing.
    Bytes(u32),
    /// This much of the physics cost of the mesh.
    Physics(f64),
    /// The physics cost of the whole mesh, which this decides.
    PhysicsOfMesh(f64),
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(f, "{bytes} bytes for nothing"),
            Self::Physics(cost) => write!(f, "{cost:.3} of the physics cost"),
            Self::PhysicsOfMesh(cost) => {
                write!(f, "and makes the whole physics mesh cost {cost:.3}")
            }
        }
    }
}

/// Something its maker should know about an asset. Faces, triangles and hulls count from 0.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// What was found.
    pub kind: Kind,
    /// The block it was found in.
    pub block: Option<Block>,
    /// The face.
    pub face: Option<usize>,
    /// The triangle of the face.
    pub triangle: Option<usize>,
    /// The hull of the decomposition; the first that is too many.
    pub hull: Option<usize>,
    /// What it costs.
    pub cost: Option<Cost>,
}

impl Finding {
    pub(crate) const fn new(kind: Kind, block: Option<Block>) -> Self {
        Self { kind, block, face: None, triangle: None, hull: None, cost: None }
    }

    /// The severity. A level that is the same as the next higher one is a note: an asset may have all four
    /// levels, whatever they show.
    #[must_use]
    pub const fn severity(&self) -> FindingSeverity {
        match self.kind {
            Kind::SameAsNext { .. } => FindingSeverity::Note,
            _ => FindingSeverity::Warning,
        }
    }

    /// Where it was found, in words.
    #[must_use]
    pub fn place(&self) -> String {
        let parts = [("face", self.face), ("triangle", self.triangle), ("hull", self.hull)];
        let part = |(what, index): (&str, Option<usize>)| Some(format!(", {what} {}", index?));
        let parts: String = parts.into_iter().filter_map(part).collect();
        self.block.map_or("asset", Block::key).to_owned() + &parts
    }

    /// What to do about it.
    #[must_use]
    pub const fn advice(&self) -> &'static str {
        match self.kind {
            Kind::Unreadable(_) => "export or download the file again",
            Kind::NoHighLod => "upload a high level of detail: without it there is nothing to show",
            Kind::FaceCount { .. } => {
                "give every level the same materials; a face may be without geometry"
            }
            Kind::SameAsNext { .. } => "leave the lower level out or simplify it",
            Kind::MoreTriangles { .. } => "a lower level must be simpler: swap or simplify it",
            Kind::Degenerate | Kind::MoreDegenerate { .. } => {
                "delete the triangle or merge its vertices"
            }
            Kind::ThinTriangle { .. } => "widen or dissolve the triangle",
            Kind::DomainMissing => {
                "write Min and Max; readers that go on take a cube of side 1 instead"
            }
            Kind::HullMissing { .. } => "upload again, so that a hull is made",
            Kind::HullDegenerate { .. } => "give the mesh a volume, so that its hull has one",
            Kind::TooManyHulls { .. } => "decompose more coarsely",
            Kind::TooManyVertices { .. } => "simplify the hull",
        }
    }
}

impl fmt::Display for Finding {
    /// Where, what, what it costs and what to do, in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place(), self.kind)?;
        if let Some(cost) = self.cost {
            write!(f, " ({cost})")?;
        }
        write!(f, "; {}", self.advice())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "cannot be read, {error}"),
            Self::NoHighLod => f.write_str("there is no high level of detail"),
            Self::FaceCount { faces, high } => {
                write!(f, "{faces} faces, but the high level has {high}")
            }
            Self::SameAsNext { next } => {
                write!(f, "the same as {next}: more to download, the same cost")
            }
            Self::MoreTriangles { triangles, next, next_triangles } => {
                write!(f, "{triangles} triangles, but {next} has {next_triangles}")
            }
            Self::Degenerate => f.write_str("a triangle without area"),
            Self::MoreDegenerate { triangles } => {
                write!(f, "{triangles} more triangles without area")
            }
            Self::ThinTriangle { rank } => write!(f, "a thin triangle, number {rank} by cost"),
            Self::DomainMissing => f.write_str("Min or Max of the positions is missing"),
            Self::HullMissing { made_from } => {
                f.write_str("there is no hull around the mesh")?;
                match made_from {
                    Some(block) => write!(f, "; an uploader would make it from {block}"),
                    None => f.write_str(", nor a mesh to make it from"),
                }
            }
            Self::HullDegenerate { vertices } => {
                write!(f, "the hull has {vertices} points, a body needs 4")
            }
            Self::TooManyHulls { hulls } => {
                write!(f, "{hulls} hulls, at most {} are allowed", Hulls::MOST)
            }
            Self::TooManyVertices { vertices } => {
                let most = Hull::MOST_VERTICES;
                write!(f, "a hull of {vertices} vertices, at most {most} are allowed")
            }
        }
    }
}
