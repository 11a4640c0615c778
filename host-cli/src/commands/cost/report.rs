use std::sync::Arc;

use lodger_opensim::pricing::{
    ArchivePrice, CostTotal, GroupBy, GroupTotal, MeshDetail, PriceNote, PricedObject,
    PricingError, most_expensive_first,
};
use serde::{Serialize, Serializer};

use super::weights::{ObjectRow, PriceBasis, WeightReport};
use crate::diagnostics::ErrorRow;

#[derive(Debug, Serialize)]
pub(crate) struct CostReport {
    schema: u32,
    rules_source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) groups: Option<Vec<GroupRow>>,
    #[serde(flatten)]
    pub(crate) rows: CostRows,
    pub(crate) totals: CostTotals,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct ReportView<'r> {
    #[serde(skip)]
    pub(crate) by: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) groups: Option<&'r [GroupRow]>,
    #[serde(flatten)]
    pub(crate) rows: &'r CostRows,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct FileRow {
    pub(crate) file: String,
    /// Metres.
    pub(crate) scale: [f64; 3],
    /// Metres.
    pub(crate) radius: f64,
    #[serde(flatten)]
    pub(crate) weights: WeightReport,
    #[serde(skip)]
    pub(crate) detail: MeshDetail,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct NoteRow {
    pub(crate) file: String,
    pub(crate) note: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct CostTotals {
    #[serde(serialize_with = "sum")]
    pub(crate) files: CostTotal,
    #[serde(serialize_with = "sum")]
    pub(crate) objects: CostTotal,
    pub(crate) errors: usize,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct CostRows {
    /// The meshes, in the given order; of archives the meshes without an object.
    pub(crate) files: Vec<FileRow>,
    pub(crate) objects: Vec<ObjectRow>,
    pub(crate) errors: Vec<ErrorRow>,
    pub(crate) notes: Vec<NoteRow>,
    /// The name of an archive, if there is one.
    #[serde(skip)]
    pub(crate) archive: Option<Arc<str>>,
    /// The name of a linkset file, if there is one.
    #[serde(skip)]
    pub(crate) linkset: Option<Arc<str>>,
    #[serde(skip)]
    has_objects: bool,
}

impl FileRow {
    pub(crate) fn new(file: String, detail: MeshDetail, basis: PriceBasis) -> Self {
        let (scale, weights) = (detail.price.scale, WeightReport::from_mesh(&detail, basis));
        Self { file, scale: scale.sides(), radius: scale.radius(), weights, detail }
    }
}

impl CostReport {
    pub(crate) fn view(&self) -> ReportView<'_> {
        let (by, groups) = (self.by.as_deref(), self.groups.as_deref());
        ReportView { by, groups, rows: &self.rows }
    }
}

impl CostRows {
    /// Passes a view of these rows, with sums by owner or parcel if requested, to `see`.
    pub(crate) fn view<T>(&self, by: Option<GroupBy>, see: impl FnOnce(ReportView<'_>) -> T) -> T {
        let (groups, by) = (by.map(|by| self.groups(by)), by.map(|by| by.to_string()));
        see(ReportView { by: by.as_deref(), groups: groups.as_deref(), rows: self })
    }

    fn groups(&self, by: GroupBy) -> Vec<GroupRow> {
        by.sum(self.objects.iter().map(|row| &row.object)).into_iter().map(GroupRow).collect()
    }

    pub(crate) fn take(&mut self, other: Self) {
        self.files.extend(other.files);
        self.objects.extend(other.objects);
        self.errors.extend(other.errors);
        self.notes.extend(other.notes);
        self.archive = self.archive.take().or(other.archive);
        self.linkset = self.linkset.take().or(other.linkset);
        self.has_objects |= other.has_objects;
    }

    pub(crate) fn has_read(&self) -> bool {
        self.has_objects || !self.files.is_empty() || !self.notes.is_empty()
    }

    pub(crate) fn replace_by_error(&mut self, file: String, why: String) {
        self.files.clear();
        self.objects.clear();
        self.notes.clear();
        self.has_objects = false;
        self.error(file, why);
    }

    pub(crate) fn error(&mut self, file: String, error: String) {
        self.errors.push(ErrorRow { file, error });
    }

    pub(crate) fn note(&mut self, file: String, note: String) {
        self.notes.push(NoteRow { file, note });
    }

    pub(crate) fn mesh(
        &mut self,
        file: &str,
        detail: Result<MeshDetail, PricingError>,
        basis: PriceBasis,
    ) {
        match detail {
            Ok(detail) => {
                let notes = detail.notes.iter().map(PriceNote::to_string);
                self.notes.extend(notes.map(|note| NoteRow { file: file.to_owned(), note }));
                self.files.push(FileRow::new(file.to_owned(), detail, basis));
            }
            Err(error) => self.error(file.to_owned(), error.to_string()),
        }
    }

    pub(crate) fn archive(&mut self, file: &str, priced: ArchivePrice, basis: PriceBasis) {
        let common = priced.notes().into_iter().map(|remark| remark.to_string());
        self.notes.extend(common.map(|note| NoteRow { file: file.to_owned(), note }));
        for mesh in priced.unused {
            self.mesh(&format!("{file}/assets/{}_mesh.llmesh", mesh.id), mesh.detail, basis);
        }
        let file: Arc<str> = file.into();
        self.has_objects |= !priced.objects.is_empty();
        for object in priced.objects {
            match &object.price {
                Ok(price) => {
                    let price = Arc::clone(price);
                    let of_this = price.notes.iter().filter(|remark| !remark.is_common());
                    let note = |remark: &PriceNote| NoteRow {
                        file: label(&file, &object),
                        note: remark.on_linkset(),
                    };
                    self.notes.extend(of_this.map(note));
                    self.objects.push(ObjectRow { file: file.clone(), object, price, basis });
                }
                Err(error) => self.error(label(&file, &object), error.to_string()),
            }
        }
        self.archive = Some(file);
    }

    pub(crate) fn linkset(&mut self, file: &str, priced: ArchivePrice, basis: PriceBasis) {
        let archive = self.archive.take();
        self.archive(file, priced, basis);
        self.linkset = std::mem::replace(&mut self.archive, archive);
    }

    /// Sorts objects by falling price and computes sums, by owner or parcel too if requested.
    pub(crate) fn into_report(mut self, by: Option<GroupBy>, basis: PriceBasis) -> CostReport {
        let assessment = |row: &ObjectRow| row.price.assessment;
        self.objects.sort_by(|a, b| most_expensive_first(&assessment(a), &assessment(b)));
        let has_resource = basis.simulator.is_some();
        let total = |it: CostTotal| if has_resource { it.with_resource() } else { it };
        let totals = CostTotals {
            files: total(self.files.iter().map(|row| &row.detail.price.assessment).collect()),
            objects: total(self.objects.iter().map(|row| &row.price.assessment).collect()),
            errors: self.errors.len(),
        };
        let groups = by.map(|by| self.groups(by));
        let by = by.map(|by| by.to_string());
        CostReport { schema: 1, rules_source: basis.source, by, groups, rows: self, totals }
    }
}

/// The name of an object in errors and notes. For the XML of a single object, file and entry are
/// the same.
fn label(file: &str, object: &PricedObject) -> String {
    let PricedObject { entry, name, .. } = object;
    if file.ends_with(&**entry) {
        format!("{file} ({name})")
    } else {
        format!("{file}/{entry} ({name})")
    }
}

fn sum<S: Serializer>(total: &CostTotal, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct TotalRow {
        count: usize,
        #[serde(flatten)]
        sums: Sums,
    }
    TotalRow { count: total.count, sums: total.into() }.serialize(serializer)
}

#[derive(Clone, Debug)]
pub(crate) struct GroupRow(pub(crate) GroupTotal);

#[derive(Serialize)]
struct GroupReport<'g> {
    id: Option<String>,
    name: Option<&'g str>,
    objects: usize,
    prims: u64,
    #[serde(flatten)]
    sums: Sums,
}

#[derive(Serialize)]
struct Sums {
    streaming: f64,
    physics: f64,
    server: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulator_cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    region_cost: Option<f64>,
    land_impact: u64,
}

impl From<&CostTotal> for Sums {
    fn from(total: &CostTotal) -> Self {
        let &CostTotal { streaming, physics, server, resource, land_impact, .. } = total;
        let simulator_cost = resource.map(|costs| costs.simulator);
        let region_cost = resource.map(|costs| costs.region);
        Self { streaming, physics, server, simulator_cost, region_cost, land_impact }
    }
}

impl Serialize for GroupRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let GroupTotal { id, name, prims, total, .. } = &self.0;
        let (id, name) = (id.map(|id| id.to_string()), name.as_deref());
        let (objects, prims, sums) = (total.count, *prims, total.into());
        GroupReport { id, name, objects, prims, sums }.serialize(serializer)
    }
}
