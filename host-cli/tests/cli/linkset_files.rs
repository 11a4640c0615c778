//! Linkset files to start from.

/// Two objects of one prim each, within reach of one another.
pub(crate) const TABLE_AND_CHAIR: &str = "\
[[object]]
name = \"table\"
[[object.prim]]
position = [0, 0, 0.5]
scale = [2, 1, 1]

[[object]]
name = \"chair\"
[[object.prim]]
position = [1.5, 0, 0.25]
scale = [0.5, 0.5, 0.5]
[[object.prim]]
position = [1.7, 0, 0.75]
scale = [0.1, 0.5, 1]
";
