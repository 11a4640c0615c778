//! The queries on a database, which are all `SELECT`.

use std::collections::BTreeMap;

use super::records::{DatabaseColumn, MESH, OBJECT, TableKind, max_blob_bytes};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    MySql,
    Postgres,
}

#[derive(Debug)]
pub(super) struct ColumnSchema {
    pub(super) table: [String; 2],
    pub(super) name: String,
    /// Character set and collation of a text in `MySQL`.
    pub(super) charset: Option<[String; 2]>,
}

type TableSchema = BTreeMap<String, ColumnSchema>;

#[derive(Debug)]
pub(super) struct Schema {
    dialect: Dialect,
    tables: BTreeMap<TableKind, TableSchema>,
}

/// The asset type and the inventory type of a script (`AssetType.LSLText`, `InventoryType.LSL`).
pub(super) const SCRIPT: i64 = 10;

/// Disables the time limits of `MySQL` and `MariaDB`; each ignores the comment of the other.
const NO_TIME_LIMIT: &str = "SET SESSION net_write_timeout = 28800 \
     /*M!100101 , max_statement_time = 0 */ /*!50708 , max_execution_time = 0 */";

impl Dialect {
    /// The query of all readable columns with schema, table, character set and collation; the table
    /// of an unqualified name comes first.
    pub(super) fn schema(self) -> String {
        let names: Vec<String> =
            TableKind::ALL.iter().map(|table| format!("'{}'", table.name())).collect();
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

    /// Statements that make a session read-only and unlimited in time.
    pub(super) const fn preparation(self) -> &'static [&'static str] {
        match self {
            Self::MySql => &["SET SESSION TRANSACTION READ ONLY", NO_TIME_LIMIT],
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

    /// A number with all digits; `MariaDB` drops some in a text.
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
    /// Collects the columns that [`Dialect::schema`] returned. Of two tables with one name the
    /// first is read.
    pub(super) fn new(dialect: Dialect, columns: impl IntoIterator<Item = ColumnSchema>) -> Self {
        let mut tables: BTreeMap<TableKind, TableSchema> = BTreeMap::new();
        for column in columns {
            let [_, name] = &column.table;
            let known = |layout: &TableKind| layout.name().eq_ignore_ascii_case(name);
            let Some(layout) = TableKind::ALL.into_iter().find(known) else { continue };
            let found = tables.entry(layout).or_default();
            if found.values().all(|before| before.table == column.table) {
                found.insert(column.name.to_ascii_lowercase(), column);
            }
        }
        Self { dialect, tables }
    }

    pub(super) fn has(&self, table: TableKind) -> bool {
        self.tables.contains_key(&table)
    }

    pub(super) fn missing(&self, table: TableKind) -> Vec<&'static str> {
        let Some(found) = self.tables.get(&table) else { return Vec::new() };
        let lacks = |column: &DatabaseColumn| {
            column.is_required && !found.contains_key(&column.name.to_ascii_lowercase())
        };
        table.columns().into_iter().filter(lacks).map(|column| column.name).collect()
    }

    fn table(&self, table: TableKind) -> String {
        match self.tables.get(&table).and_then(|found| found.values().next()) {
            Some(column) => column.table.each_ref().map(|name| self.dialect.quoted(name)).join("."),
            None => self.dialect.quoted(table.name()),
        }
    }

    fn find_column(&self, table: TableKind, column: &str) -> Option<&ColumnSchema> {
        self.tables.get(&table)?.get(&column.to_ascii_lowercase())
    }

    fn column(&self, table: TableKind, alias: &str, column: &str) -> Option<String> {
        let found = self.find_column(table, column)?;
        Some(format!("{alias}.{}", self.dialect.quoted(&found.name)))
    }

    /// Converts an identifier to the character set of the compared column. Otherwise `MySQL`
    /// converts the column, and does not use its index.
    fn in_charset_of(&self, table: TableKind, column: &str, id: &str) -> String {
        match self.find_column(table, column).and_then(|found| found.charset.as_ref()) {
            Some([set, collation]) => format!("CONVERT({id} USING {set}) COLLATE {collation}"),
            None => id.to_owned(),
        }
    }

    /// The expressions of all columns of a table: texts, numbers, and blobs cut just above the size
    /// limit.
    fn columns(&self, table: TableKind, alias: &str) -> Vec<String> {
        let max = max_blob_bytes().saturating_add(1);
        let expression = |column: DatabaseColumn| match self.column(table, alias, column.name) {
            Some(found) if column.is_blob => format!("SUBSTRING({found} FROM 1 FOR {max})"),
            Some(found) if column.is_real() => self.dialect.real(&found),
            Some(found) => self.dialect.text(&found),
            None => "NULL".to_owned(),
        };
        table.columns().into_iter().map(expression).collect()
    }

    /// The qualified name of a required column, which [`missing`](Self::missing) has checked.
    fn required(&self, table: TableKind, alias: &str, column: &str) -> String {
        self.column(table, alias, column).unwrap_or_else(|| "NULL".to_owned())
    }

    pub(super) fn fs_assets(&self) -> String {
        let columns = self.columns(TableKind::FsAssets, "a").join(", ");
        format!("SELECT {columns} FROM {} a", self.table(TableKind::FsAssets))
    }

    pub(super) fn count_fs_assets(&self) -> String {
        let count = self.dialect.text("COUNT(*)");
        format!("SELECT {count} FROM {} a", self.table(TableKind::FsAssets))
    }

    fn select_assets(&self, columns: &str) -> String {
        let kind = self.required(TableKind::Assets, "a", "assetType");
        let table = self.table(TableKind::Assets);
        format!("SELECT {columns} FROM {table} a WHERE {kind} IN ({OBJECT}, {MESH})")
    }

    pub(super) fn assets(&self) -> String {
        self.select_assets(&self.columns(TableKind::Assets, "a").join(", "))
    }

    pub(super) fn count_assets(&self) -> String {
        self.select_assets(&self.dialect.text("COUNT(*)"))
    }

    /// The query of `prims` with `primshapes` and numbers of scripts, sorted by object.
    pub(super) fn prims(&self) -> String {
        let mut columns = self.columns(TableKind::Prims, "p");
        columns.extend(self.columns(TableKind::PrimShapes, "s"));
        let prim = self.required(TableKind::Prims, "p", "UUID");
        let shape = self.required(TableKind::PrimShapes, "s", "UUID");
        let items = if self.has(TableKind::PrimItems) {
            columns.push(self.dialect.text("i.scripts"));
            let prim = self.in_charset_of(TableKind::PrimItems, "primID", &prim);
            format!(" LEFT JOIN ({}) i ON i.prim = {prim}", self.scripts())
        } else {
            columns.push("NULL".to_owned());
            String::new()
        };
        format!(
            "SELECT {} FROM {} p LEFT JOIN {} s ON {shape} = {}{items} ORDER BY {}",
            columns.join(", "),
            self.table(TableKind::Prims),
            self.table(TableKind::PrimShapes),
            self.in_charset_of(TableKind::PrimShapes, "UUID", &prim),
            self.required(TableKind::Prims, "p", "SceneGroupID"),
        )
    }

    fn scripts(&self) -> String {
        let column = |name| self.required(TableKind::PrimItems, "t", name);
        let (prim, asset, item) = (column("primID"), column("assetType"), column("invType"));
        format!(
            "SELECT {prim} AS prim, COUNT(*) AS scripts FROM {} t \
             WHERE {asset} = {SCRIPT} OR {item} = {SCRIPT} GROUP BY {prim}",
            self.table(TableKind::PrimItems)
        )
    }

    pub(super) fn count_objects(&self) -> String {
        let column = |name| self.required(TableKind::Prims, "p", name);
        format!(
            "SELECT {} FROM {} p WHERE {} = {}",
            self.dialect.text("COUNT(*)"),
            self.table(TableKind::Prims),
            column("UUID"),
            column("SceneGroupID"),
        )
    }
}
