//! The questions that databases are asked: nothing but `SELECT`.

use std::collections::BTreeMap;

use super::layout::{Column, Layout};
use super::record::{MESH, OBJECT};
use super::row::largest_blob;

/// How a database writes names and texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    MySql,
    Postgres,
}

/// A column that is there, as a database tells of it.
#[derive(Debug)]
pub(super) struct FoundColumn {
    /// The schema, and the table in it.
    pub(super) table: [String; 2],
    pub(super) name: String,
    /// Its character set and its collation, of a text in `MySQL`.
    pub(super) letters: Option<[String; 2]>,
}

/// A table that is there: its columns by the small letters of their names.
type Found = BTreeMap<String, FoundColumn>;

/// What is there, as a database has told.
#[derive(Debug)]
pub(super) struct Schema {
    dialect: Dialect,
    tables: BTreeMap<Layout, Found>,
}

/// The asset type and the inventory type of a script (`AssetType.LSLText`, `InventoryType.LSL`).
pub(super) const SCRIPT: i64 = 10;

/// Lets a question to `MySQL` take as long as it does. The variable is another one in `MariaDB`; either passes over the
/// comment of the other.
const PATIENT: &str = "SET SESSION net_write_timeout = 28800 \
     /*M!100101 , max_statement_time = 0 */ /*!50708 , max_execution_time = 0 */";

impl Dialect {
    /// The columns that may be read, each with its schema, its table, its character set and its collation; those of the
    /// table that a name alone means come first.
    pub(super) fn schema(self) -> String {
        let names: Vec<String> =
            Layout::ALL.iter().map(|table| format!("'{}'", table.name())).collect();
        let (here, first) = match self {
            Self::MySql => ("table_schema = DATABASE()", "table_name"),
            Self::Postgres => (
                "table_schema = ANY (current_schemas(false))",
                "array_position(current_schemas(false), CAST(table_schema AS name)), table_name",
            ),
        };
        let columns =
            ["table_schema", "table_name", "column_name", "character_set_name", "collation_name"];
        let columns = columns.map(|column| self.text(column)).join(", ");
        format!(
            "SELECT {columns} FROM information_schema.columns \
             WHERE {here} AND lower(table_name) IN ({}) ORDER BY {first}",
            names.join(", ")
        )
    }

    /// What makes sure that a session writes nothing and may be as slow as whoever reads it.
    pub(super) const fn preparation(self) -> &'static [&'static str] {
        match self {
            Self::MySql => &["SET SESSION TRANSACTION READ ONLY", PATIENT],
            Self::Postgres => &[
                "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
                "SET SESSION statement_timeout = 0",
            ],
        }
    }

    fn quoted(self, name: &str) -> String {
        match self {
            Self::MySql => format!("`{}`", name.replace('`', "``")),
            Self::Postgres => format!("\"{}\"", name.replace('"', "\"\"")),
        }
    }

    /// A number with all its digits: as a text, `MariaDB` drops some.
    fn real(self, expression: &str) -> String {
        match self {
            Self::MySql => format!("({expression} + 0e0)"),
            Self::Postgres => format!("CAST({expression} AS double precision)"),
        }
    }

    fn text(self, expression: &str) -> String {
        match self {
            Self::MySql => format!("CAST({expression} AS CHAR)"),
            Self::Postgres => format!("CAST({expression} AS text)"),
        }
    }
}

impl Schema {
    /// Takes what [`Dialect::schema`] gave. Of two tables with one name the first is read.
    pub(super) fn new(dialect: Dialect, columns: impl IntoIterator<Item = FoundColumn>) -> Self {
        let mut tables: BTreeMap<Layout, Found> = BTreeMap::new();
        for column in columns {
            let [_, name] = &column.table;
            let known = |layout: &Layout| layout.name().eq_ignore_ascii_case(name);
            let Some(layout) = Layout::ALL.into_iter().find(known) else { continue };
            let found = tables.entry(layout).or_default();
            if found.values().all(|before| before.table == column.table) {
                found.insert(column.name.to_ascii_lowercase(), column);
            }
        }
        Self { dialect, tables }
    }

    /// Whether a table is there.
    pub(super) fn has(&self, table: Layout) -> bool {
        self.tables.contains_key(&table)
    }

    /// The columns that a table has to have and has not.
    pub(super) fn missing(&self, table: Layout) -> Vec<&'static str> {
        let Some(found) = self.tables.get(&table) else { return Vec::new() };
        let lacks = |column: &Column| {
            column.needed && !found.contains_key(&column.name.to_ascii_lowercase())
        };
        table.columns().into_iter().filter(lacks).map(|column| column.name).collect()
    }

    fn table(&self, table: Layout) -> String {
        match self.tables.get(&table).and_then(|found| found.values().next()) {
            Some(column) => column.table.each_ref().map(|name| self.dialect.quoted(name)).join("."),
            None => self.dialect.quoted(table.name()),
        }
    }

    fn found(&self, table: Layout, column: &str) -> Option<&FoundColumn> {
        self.tables.get(&table)?.get(&column.to_ascii_lowercase())
    }

    /// A column of a table that goes by another name in the question.
    fn column(&self, table: Layout, alias: &str, column: &str) -> Option<String> {
        let found = self.found(table, column)?;
        Some(format!("{alias}.{}", self.dialect.quoted(&found.name)))
    }

    /// An identifier in the letters of a column that it is compared with: `MySQL` converts that column otherwise, and
    /// does without its index.
    fn in_letters_of(&self, table: Layout, column: &str, id: &str) -> String {
        match self.found(table, column).and_then(|found| found.letters.as_ref()) {
            Some([set, collation]) => format!("CONVERT({id} USING {set}) COLLATE {collation}"),
            None => id.to_owned(),
        }
    }

    /// All columns of a table that are read, as texts or numbers, blobs as bytes and no longer than one that is too long.
    fn columns(&self, table: Layout, alias: &str) -> Vec<String> {
        let longest = largest_blob().saturating_add(1);
        let of = |column: Column| match self.column(table, alias, column.name) {
            Some(found) if column.blob => format!("SUBSTRING({found} FROM 1 FOR {longest})"),
            Some(found) if column.is_real() => self.dialect.real(&found),
            Some(found) => self.dialect.text(&found),
            None => "NULL".to_owned(),
        };
        table.columns().into_iter().map(of).collect()
    }

    /// A column that is there, by [`missing`](Self::missing).
    fn sure(&self, table: Layout, alias: &str, column: &str) -> String {
        self.column(table, alias, column).unwrap_or_else(|| "NULL".to_owned())
    }

    /// The rows of `fsassets`.
    pub(super) fn fs_assets(&self) -> String {
        let columns = self.columns(Layout::FsAssets, "a").join(", ");
        format!("SELECT {columns} FROM {} a", self.table(Layout::FsAssets))
    }

    /// How many rows `fsassets` has.
    pub(super) fn count_fs_assets(&self) -> String {
        let count = self.dialect.text("COUNT(*)");
        format!("SELECT {count} FROM {} a", self.table(Layout::FsAssets))
    }

    fn of_assets(&self, what: &str) -> String {
        let kind = self.sure(Layout::Assets, "a", "assetType");
        let table = self.table(Layout::Assets);
        format!("SELECT {what} FROM {table} a WHERE {kind} IN ({OBJECT}, {MESH})")
    }

    /// The rows of `assets` that are meshes or objects.
    pub(super) fn assets(&self) -> String {
        self.of_assets(&self.columns(Layout::Assets, "a").join(", "))
    }

    /// How many of them there are.
    pub(super) fn count_assets(&self) -> String {
        self.of_assets(&self.dialect.text("COUNT(*)"))
    }

    /// The rows of `prims` with those of `primshapes` and the number of scripts, sorted by object.
    pub(super) fn prims(&self) -> String {
        let mut columns = self.columns(Layout::Prims, "p");
        columns.extend(self.columns(Layout::PrimShapes, "s"));
        let prim = self.sure(Layout::Prims, "p", "UUID");
        let shape = self.sure(Layout::PrimShapes, "s", "UUID");
        let items = if self.has(Layout::PrimItems) {
            columns.push(self.dialect.text("i.scripts"));
            let prim = self.in_letters_of(Layout::PrimItems, "primID", &prim);
            format!(" LEFT JOIN ({}) i ON i.prim = {prim}", self.scripts())
        } else {
            columns.push("NULL".to_owned());
            String::new()
        };
        format!(
            "SELECT {} FROM {} p LEFT JOIN {} s ON {shape} = {}{items} ORDER BY {}",
            columns.join(", "),
            self.table(Layout::Prims),
            self.table(Layout::PrimShapes),
            self.in_letters_of(Layout::PrimShapes, "UUID", &prim),
            self.sure(Layout::Prims, "p", "SceneGroupID"),
        )
    }

    /// The number of scripts in each prim that has some.
    fn scripts(&self) -> String {
        let column = |name| self.sure(Layout::PrimItems, "t", name);
        let (prim, asset, item) = (column("primID"), column("assetType"), column("invType"));
        format!(
            "SELECT {prim} AS prim, COUNT(*) AS scripts FROM {} t \
             WHERE {asset} = {SCRIPT} OR {item} = {SCRIPT} GROUP BY {prim}",
            self.table(Layout::PrimItems)
        )
    }

    /// How many objects there are, by their roots.
    pub(super) fn count_objects(&self) -> String {
        let column = |name| self.sure(Layout::Prims, "p", name);
        format!(
            "SELECT {} FROM {} p WHERE {} = {}",
            self.dialect.text("COUNT(*)"),
            self.table(Layout::Prims),
            column("UUID"),
            column("SceneGroupID"),
        )
    }
}
