//! Archives, their entries, the XML of objects, and choices from them.

use lodger_testkit::build::archive::ArchiveFile;

use super::assets::assets;

/// An asset, and whatever else needs an identifier.
const ASSET: &str = "11111111-2222-3333-4444-555555555555";

/// The files of an archive, with their paths.
type Files = Vec<(String, Vec<u8>)>;

/// Tar files, not compressed: of a mesh and an object that uses it, of regions, of an inventory.
pub(super) fn archives() -> Vec<Vec<u8>> {
    all().iter().map(tar).collect()
}

/// The entries of the same archives.
pub(super) fn entries() -> Vec<Vec<u8>> {
    let entry = |(path, content): &(String, Vec<u8>)| [path.as_bytes(), b"\n", content].concat();
    let entries = |files: &Files| files.iter().map(entry).collect::<Vec<_>>().join(&b"\n--\n"[..]);
    all().iter().map(entries).collect()
}

/// An object by itself, two in one document, and one with a mesh.
pub(super) fn objects() -> Vec<Vec<u8>> {
    let linked = linked();
    let both = format!(
        "<CoalescedObject x=\"3\" y=\"2\" z=\"1\"><SceneObjectGroup offsetx=\"1\" offsety=\"0\" \
         offsetz=\"0\">{linked}</SceneObjectGroup><SceneObjectGroup offsetx=\"2\" offsety=\"1\" \
         offsetz=\"0\">{linked}</SceneObjectGroup></CoalescedObject>"
    );
    vec![linked.into(), both.into(), chair().into()]
}

/// An object by its name, by its identifier and by where it lies.
pub(super) fn choices() -> Vec<Vec<u8>> {
    let [region, inventory] = [tar(&region()), tar(&inventory())];
    let choice = |wanted: &str, file: &[u8]| [wanted.as_bytes(), b"\n", file].concat();
    vec![
        choice("prism", &region),
        choice(ASSET, &region),
        choice("box", &inventory),
        choice("chair", chair().as_bytes()),
    ]
}

fn all() -> [Files; 3] {
    [meshes(), region(), inventory()]
}

fn meshes() -> Files {
    vec![
        ("archive.xml".into(), b"<archive major_version=\"0\" />".into()),
        (format!("assets/{ASSET}_mesh.llmesh"), assets().swap_remove(0)),
        ("objects/chair.xml".into(), chair().into()),
    ]
}

/// An object that is a mesh.
fn chair() -> String {
    format!(
        "<SceneObjectGroup><SceneObjectPart><Name>chair</Name><Shape><PathCurve>32</PathCurve>\
         <SculptType>5</SculptType><SculptTexture><UUID>{ASSET}</UUID></SculptTexture>\
         <SculptEntry>true</SculptEntry></Shape><Scale><X>1</X><Y>2</Y><Z>3</Z></Scale>\
         </SceneObjectPart><OtherParts /></SceneObjectGroup>"
    )
}

/// An object of a prism, a ring and a tree.
fn linked() -> String {
    let part = |name: &str, code: u8, path: u8| {
        format!(
            "<SceneObjectPart><UUID><UUID>{ASSET}</UUID></UUID><OwnerID><UUID>{ASSET}</UUID></OwnerID>\
             <Name>{name}</Name><GroupPosition><X>1.5</X><Y>2</Y><Z>21</Z></GroupPosition><Shape>\
             <PCode>{code}</PCode><ProfileCurve>3</ProfileCurve><PathCurve>{path}</PathCurve></Shape>\
             <Scale><X>1</X><Y>2</Y><Z>3</Z></Scale></SceneObjectPart>"
        )
    };
    let (prism, ring, tree) = (part("prism", 9, 16), part("ring", 9, 32), part("tree", 255, 16));
    format!("<SceneObjectGroup>{prism}<OtherParts>{ring}{tree}</OtherParts></SceneObjectGroup>")
}

/// Two regions, in each a parcel of one square and an object on it.
fn region() -> Files {
    let land = format!(
        "<LandData><GlobalID>{ASSET}</GlobalID><Bitmap>AQAAAAAAAAA=</Bitmap><Name>a square</Name>\
         <OwnerID>{ASSET}</OwnerID></LandData>"
    );
    let files = ["regions/1_1_a", "regions/2_1_b"].map(|folder| {
        let of_land = (format!("{folder}/landdata/a.xml"), land.clone().into());
        [of_land, (format!("{folder}/objects/a.xml"), linked().into())]
    });
    files.into_iter().flatten().collect()
}

/// An item, its object, and the object in there, which holds the first one.
fn inventory() -> Files {
    const INSIDE: &str = "22222222-2222-3333-4444-555555555555";
    let object = |holding: &str| {
        format!(
            "<SceneObjectGroup><RootPart><SceneObjectPart><Shape><ProfileCurve>1</ProfileCurve>\
             <PathCurve>16</PathCurve></Shape><Scale><X>1</X><Y>1</Y><Z>1</Z></Scale><TaskInventory>\
             <TaskInventoryItem><AssetID><UUID>{holding}</UUID></AssetID><Type>6</Type>\
             </TaskInventoryItem></TaskInventory></SceneObjectPart></RootPart></SceneObjectGroup>"
        )
    };
    let item = format!(
        "<InventoryItem><Name>box</Name><Owner>{ASSET}</Owner><AssetType>6</AssetType>\
         <AssetID>{ASSET}</AssetID></InventoryItem>"
    );
    vec![
        (format!("inventory/A &#47; B__{ASSET}/a.xml"), item.into()),
        (format!("assets/{ASSET}_object.xml"), object(INSIDE).into()),
        (format!("assets/{INSIDE}_object.xml"), object(ASSET).into()),
    ]
}

fn tar(files: &Files) -> Vec<u8> {
    let add =
        |archive: ArchiveFile, (path, content): &(String, Vec<u8>)| archive.with(path, content);
    files.iter().fold(ArchiveFile::default(), add).tar()
}
