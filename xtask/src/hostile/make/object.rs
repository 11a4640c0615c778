//! The XML of objects.

/// A UUID for each number.
pub(crate) fn id(number: usize) -> String {
    format!("{number:08x}-5b93-4d9e-9c5e-000000000001")
}

/// A part by what is in its shape and what follows that.
pub(crate) fn part(name: &str, shape: &str, rest: &str) -> String {
    format!(
        "<SceneObjectPart><UUID><UUID>{}</UUID></UUID><Name>{name}</Name><GroupPosition><X>128</X>\
         <Y>128</Y><Z>21</Z></GroupPosition><Shape><PCode>9</PCode>{shape}</Shape><Scale><X>1</X>\
         <Y>2</Y><Z>0.5</Z></Scale>{rest}</SceneObjectPart>",
        id(0)
    )
}

/// The shape of a box.
pub(crate) const BOX: &str = "<ProfileCurve>1</ProfileCurve><PathCurve>16</PathCurve>";

/// The shape of a mesh.
pub(crate) fn mesh_shape(asset: &str) -> String {
    format!(
        "<ProfileCurve>0</ProfileCurve><PathCurve>32</PathCurve><SculptType>5</SculptType>\
         <SculptTexture><UUID>{asset}</UUID></SculptTexture><SculptEntry>true</SculptEntry>"
    )
}

/// An object of these parts.
pub(crate) fn group(root: &str, others: &str) -> String {
    format!("<SceneObjectGroup>{root}<OtherParts>{others}</OtherParts></SceneObjectGroup>")
}

/// An object that is one box.
pub(crate) fn cube(name: &str) -> String {
    group(&part(name, BOX, ""), "")
}

/// An object that shows a mesh.
pub(crate) fn showing(name: &str, asset: &str) -> String {
    group(&part(name, &mesh_shape(asset), ""), "")
}

/// An object that shows a mesh, and collides as its physics mesh says.
pub(crate) fn colliding(name: &str, asset: &str) -> String {
    let rest = "<PhysicsShapeType>0</PhysicsShapeType>";
    group(&part(name, &mesh_shape(asset), rest), "")
}

/// Several objects in one document.
pub(crate) fn scene(objects: &[String]) -> String {
    format!("<scene>{}</scene>", objects.concat())
}

/// A parcel of one square.
pub(crate) fn parcel(number: usize, name: &str) -> String {
    format!(
        "<LandData><GlobalID>{}</GlobalID><Bitmap>AQAAAAAAAAA=</Bitmap><Name>{name}</Name>\
         <OwnerID>{}</OwnerID></LandData>",
        id(number),
        id(7)
    )
}

/// A text as XML has it.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
