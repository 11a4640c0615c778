use std::fmt::Write as _;
use std::fs;
use std::ops::ControlFlow::Continue;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lodger_grid::ingest::IngestError;
use lodger_grid::ingest::tables::{OpenSimTables, RezzedObject};
use sqlx::{Connection, Executor};
use url::Url;

use crate::ingest_tables::all_cells;
use crate::samples::{Layout, hash, ingest_paths, store};
use crate::servers::{ADMIN, RunningServer, mariadb, postgres};
use crate::tables_content::{Content, TableRows, Value, hexadecimal, write_csv};
use crate::tables_csv::rezzed;

/// The tables of `OpenSimulator` for `MySQL` after all its migrations, without unused columns.
const MYSQL: &str = "
CREATE TABLE `fsassets` (`id` char(36) NOT NULL, `name` varchar(64) NOT NULL DEFAULT '',
 `description` varchar(64) NOT NULL DEFAULT '', `type` int(11) NOT NULL, `hash` char(80) NOT NULL,
 `create_time` int(11) NOT NULL DEFAULT '0', `access_time` int(11) NOT NULL DEFAULT '0',
 `asset_flags` int(11) NOT NULL DEFAULT '0', PRIMARY KEY (`id`)) ENGINE=InnoDB DEFAULT CHARSET=utf8;
CREATE TABLE `assets` (`name` varchar(64) NOT NULL, `description` varchar(64) NOT NULL, `assetType` tinyint(4) NOT NULL,
 `local` tinyint(1) NOT NULL, `temporary` tinyint(1) NOT NULL, `data` longblob NOT NULL,
 `id` char(36) NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000', `create_time` int(11) DEFAULT '0',
 `access_time` int(11) DEFAULT '0', `asset_flags` int(11) NOT NULL DEFAULT '0',
 `CreatorID` varchar(128) NOT NULL DEFAULT '', PRIMARY KEY (`id`)) ENGINE=InnoDB DEFAULT CHARSET=utf8;
CREATE TABLE `prims` (`CreationDate` int(11) default NULL, `Name` varchar(255) default NULL, `Text` varchar(255) default NULL,
 `ObjectFlags` int(11) default NULL, `CreatorID` varchar(255) NOT NULL DEFAULT '', `OwnerID` char(36) default NULL,
 `GroupPositionX` double default NULL, `GroupPositionY` double default NULL, `GroupPositionZ` double default NULL,
 `PositionX` double default NULL, `PositionY` double default NULL, `PositionZ` double default NULL,
 `RotationX` double default NULL, `RotationY` double default NULL, `RotationZ` double default NULL, `RotationW` double default NULL,
 `UUID` char(36) NOT NULL DEFAULT '', `RegionUUID` char(36) default NULL, `SceneGroupID` char(36) default NULL,
 `LinkNumber` int(11) NOT NULL DEFAULT '0', `PhysicsShapeType` tinyint(4) NOT NULL default '0',
 PRIMARY KEY (`UUID`), KEY `prims_regionuuid` (`RegionUUID`), KEY `prims_scenegroupid` (`SceneGroupID`))
 ENGINE=InnoDB DEFAULT CHARSET=utf8;
CREATE TABLE `primshapes` (`Shape` int(11) default NULL, `ScaleX` double NOT NULL default '0', `ScaleY` double NOT NULL default '0',
 `ScaleZ` double NOT NULL default '0', `PCode` int(11) default NULL, `PathBegin` int(11) default NULL, `PathEnd` int(11) default NULL,
 `PathScaleX` int(11) default NULL, `PathScaleY` int(11) default NULL, `PathShearX` int(11) default NULL,
 `PathShearY` int(11) default NULL, `PathSkew` int(11) default NULL, `PathCurve` int(11) default NULL,
 `PathRadiusOffset` int(11) default NULL, `PathRevolutions` int(11) default NULL, `PathTaperX` int(11) default NULL,
 `PathTaperY` int(11) default NULL, `PathTwist` int(11) default NULL, `PathTwistBegin` int(11) default NULL,
 `ProfileBegin` int(11) default NULL, `ProfileEnd` int(11) default NULL, `ProfileCurve` int(11) default NULL,
 `ProfileHollow` int(11) default NULL, `State` int(11) default NULL, `Texture` longblob, `ExtraParams` longblob,
 `UUID` char(36) NOT NULL DEFAULT '', PRIMARY KEY (`UUID`)) ENGINE=InnoDB DEFAULT CHARSET=latin1;
CREATE TABLE `primitems` (`invType` int(11) default NULL, `assetType` int(11) default NULL, `name` varchar(255) default NULL,
 `creationDate` bigint(20) default NULL, `itemID` char(36) NOT NULL DEFAULT '', `primID` char(36) default NULL,
 `assetID` char(36) default NULL, PRIMARY KEY (`itemID`), KEY `primitems_primid` (`primID`)) ENGINE=InnoDB DEFAULT CHARSET=utf8;
CREATE USER reader@'%' IDENTIFIED BY 'geheim'; GRANT SELECT ON grid.* TO reader@'%'; CREATE DATABASE bare;
GRANT SELECT ON bare.* TO reader@'%'";

const POSTGRES: &str = r#"
CREATE TABLE fsassets ("id" uuid NOT NULL PRIMARY KEY, "type" integer NOT NULL, "hash" char(64) NOT NULL,
 "create_time" integer NOT NULL DEFAULT '0', "access_time" integer NOT NULL DEFAULT '0', "asset_flags" integer NOT NULL DEFAULT '0');
CREATE TABLE assets ("id" uuid NOT NULL PRIMARY KEY, "name" varchar(64) NOT NULL, "description" varchar(64) NOT NULL,
 "assetType" smallint NOT NULL, "local" boolean NOT NULL, "temporary" boolean NOT NULL, "data" bytea NOT NULL,
 "create_time" int NULL, "access_time" int NULL, "asset_flags" INTEGER NOT NULL DEFAULT 0, "creatorid" varchar(128) not null default '');
CREATE TABLE prims ("UUID" uuid NOT NULL PRIMARY KEY, "RegionUUID" uuid NULL, "CreationDate" int NULL, "Name" varchar(255) NULL,
 "SceneGroupID" uuid NULL, "Text" varchar(255) NULL, "ObjectFlags" int NULL, "OwnerID" uuid NULL, "CreatorID" varchar(255) NOT NULL,
 "PositionX" double precision NULL, "PositionY" double precision NULL, "PositionZ" double precision NULL,
 "GroupPositionX" double precision NULL, "GroupPositionY" double precision NULL, "GroupPositionZ" double precision NULL,
 "RotationX" double precision NULL, "RotationY" double precision NULL, "RotationZ" double precision NULL,
 "RotationW" double precision NULL, "LinkNumber" integer not null default 0, "PhysicsShapeType" smallint NOT NULL default '0');
CREATE TABLE primshapes ("UUID" uuid NOT NULL PRIMARY KEY, "Shape" int NULL, "ScaleX" double precision NULL,
 "ScaleY" double precision NULL, "ScaleZ" double precision NULL, "PCode" int NULL, "PathBegin" int NULL, "PathEnd" int NULL,
 "PathScaleX" int NULL, "PathScaleY" int NULL, "PathShearX" int NULL, "PathShearY" int NULL, "PathSkew" int NULL,
 "PathCurve" int NULL, "PathRadiusOffset" int NULL, "PathRevolutions" int NULL, "PathTaperX" int NULL, "PathTaperY" int NULL,
 "PathTwist" int NULL, "PathTwistBegin" int NULL, "ProfileBegin" int NULL, "ProfileEnd" int NULL, "ProfileCurve" int NULL,
 "ProfileHollow" int NULL, "State" int NULL, "Texture" bytea NULL, "ExtraParams" bytea NULL);
CREATE TABLE primitems ("itemID" uuid NOT NULL PRIMARY KEY, "primID" uuid NULL, "assetID" uuid NULL, "invType" int NULL,
 "assetType" int NULL, "name" varchar(255) NULL, "creationDate" varchar(255) NULL);
CREATE ROLE reader LOGIN PASSWORD 'geheim'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
CREATE DATABASE bare"#;

fn execute<O>(url: &str, statements: &[String])
where
    O: sqlx::ConnectOptions,
    O::Connection: Sized,
    for<'c> &'c mut O::Connection: Executor<'c>,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("there is a thread").block_on(async {
        let options = O::from_url(&Url::parse(url).expect("it is a URL")).expect("it is one");
        let mut connection = options.connect().await.expect("it runs");
        for sql in statements {
            let done = connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(sql.clone()))).await;
            if let Err(error) = done {
                panic!("{error}: {}", sql.chars().take(300).collect::<String>());
            }
        }
        connection.close().await.expect("it ends");
    });
}

fn inserts(
    table: &TableRows,
    columns: impl Fn(&str) -> Option<String>,
    value: impl Fn(&str, &Value) -> String,
) -> Vec<String> {
    let names: Vec<String> = table.columns.iter().filter_map(|name| columns(name)).collect();
    let insert = |rows: &[Vec<Value>]| {
        let mut sql = format!("INSERT INTO {} ({}) VALUES ", table.name, names.join(", "));
        for (number, row) in rows.iter().enumerate() {
            let fields = table.columns.iter().zip(row).filter(|(name, _)| columns(name).is_some());
            let fields: Vec<String> = fields.map(|(name, field)| value(name, field)).collect();
            let between = if number == 0 { "" } else { ", " };
            write!(sql, "{between}({})", fields.join(", ")).expect("it is a text");
        }
        sql
    };
    table.rows.chunks(200).map(insert).collect()
}

fn filled_mariadb(content: &Content) -> RunningServer {
    let running = mariadb();
    let mut sql: Vec<String> = MYSQL.split(';').map(str::to_owned).collect();
    for table in &content.tables {
        sql.extend(inserts(
            table,
            |name| Some(format!("`{name}`")),
            |_, value| match value {
                Value::Null => "NULL".to_owned(),
                Value::Text(text) => {
                    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
                }
                Value::Whole(number) => number.to_string(),
                // A literal with an exponent is a double, not a decimal.
                Value::Real(number) => format!("{number:e}"),
                Value::Bytes(bytes) => format!("x'{}'", hexadecimal(bytes)),
            },
        ));
    }
    execute::<sqlx::mysql::MySqlConnectOptions>(
        &admin("mysql", "root", running.port, "grid"),
        &sql,
    );
    running
}

fn filled_postgres(content: &Content) -> RunningServer {
    let running = postgres();
    let mut sql = vec![POSTGRES.to_owned()];
    sql = sql.iter().flat_map(|sql| sql.split(';')).map(str::to_owned).collect();
    for table in &content.tables {
        let columns = |name: &str| match (table.name, name) {
            ("fsassets", "name" | "description") => None,
            (_, "CreatorID") if table.name == "assets" => Some("creatorid".to_owned()),
            _ => Some(format!("\"{name}\"")),
        };
        sql.extend(inserts(table, columns, |name, value| match value {
            Value::Null => "NULL".to_owned(),
            Value::Text(text) => format!("'{}'", text.replace('\'', "''")),
            Value::Whole(number) if ["local", "temporary"].contains(&name) => {
                (*number != 0).to_string()
            }
            Value::Whole(number) => number.to_string(),
            Value::Real(number) => format!("{number:e}"),
            Value::Bytes(bytes) => format!("'\\x{}'", hexadecimal(bytes)),
        }));
    }
    execute::<sqlx::postgres::PgConnectOptions>(
        &admin("postgres", "postgres", running.port, "postgres"),
        &sql,
    );
    running
}

fn admin(scheme: &str, user: &str, port: u16, database: &str) -> String {
    format!("{scheme}://{user}:{ADMIN}@127.0.0.1:{port}/{database}")
}

fn url(scheme: &str, user: &str, running: &RunningServer, database: &str) -> Url {
    let url = format!("{scheme}://{user}@127.0.0.1:{}/{database}", running.port);
    Url::parse(&url).expect("it is a URL")
}

fn opened(scheme: &str, running: &RunningServer, database: &str) -> OpenSimTables {
    let url = url(scheme, "reader:geheim", running, database);
    let tables = OpenSimTables::connect(&url).expect("it runs");
    assert!(!tables.name().contains("geheim") && tables.name().contains("reader@127.0.0.1"));
    assert!(!format!("{tables:?}").contains("geheim"));
    tables
}

fn open_error(url: &Url) -> IngestError {
    let error = OpenSimTables::connect(url).expect_err("it cannot be read");
    assert!(!error.to_string().contains("geheim"), "{error}");
    assert!(!format!("{error:?}").contains("geheim"), "{error:?}");
    assert!(error.name.contains("127.0.0.1"), "{error}");
    error
}

fn objects(tables: &OpenSimTables) -> Vec<RezzedObject> {
    let mut rows = rezzed(tables);
    for row in &mut rows {
        row.object.as_mut().expect("it is right").source = "".into();
    }
    rows
}

fn check_errors(scheme: &str, running: &RunningServer, database: &str) {
    for (user, database, expected) in [
        ("reader:geheim-not", database, "wrong user or password"),
        ("nobody:geheim", database, "wrong user or password"),
        ("reader:geheim", "geheimnis", "no such database"),
        ("reader:geheim", "bare", "none of the tables"),
    ] {
        let problem = match OpenSimTables::connect(&url(scheme, user, running, database)) {
            Ok(_) => panic!("it was opened"),
            Err(error) => error.problem,
        };
        // MariaDB does not reveal whether a database exists that an account may not use.
        let fine = problem.contains(expected)
            || (expected == "no such database" && problem.contains("may not use the database"));
        assert!(fine, "{user} {database}: {problem}");
    }
    open_error(&url(scheme, "reader:geheim-not", running, database));
    let encrypted = format!("{}?sslmode=REQUIRE", url(scheme, "reader:geheim", running, database));
    open_error(&Url::parse(&encrypted).expect("it is a URL"));
}

fn check_loss(tables: &OpenSimTables, running: &mut RunningServer) {
    let mut rows = 0_u64;
    let error = tables.assets(&mut |_| {
        rows += 1;
        if rows == 1 {
            running.end();
        }
        Continue(())
    });
    let error = error.expect_err("the server has ended");
    assert!(rows < tables.present().assets.expect("there are some"), "{error}");
    let again = tables.fsassets(&mut |_| Continue(())).expect_err("the server has ended");
    assert!(again.problem.contains("the connection was refused"), "{again}");
}

/// The resident memory of this process in bytes.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("it is told");
    let kib = line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok());
    kib.expect("it is a number") << 10
}

const BLOB: usize = 8 << 20;
const BLOBS: u64 = 48;

/// Reads 384 MiB of blobs one by one.
fn check_memory(tables: &OpenSimTables) {
    let before = resident();
    let (mut max, mut count) = (before, 0);
    let read = tables.assets(&mut |row| {
        if row.is_ok_and(|row| {
            row.content.len() == BLOB && row.content.iter().all(|byte| *byte == b'a')
        }) {
            count += 1;
        }
        max = max.max(resident());
        Continue(())
    });
    read.expect("it can be read");
    assert_eq!(count, BLOBS);
    let grown = max - before;
    assert!(grown < 160 << 20, "{} MiB were held", grown >> 20);
}

fn ingest_database(url: &Url, tree: &Path, out: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lodger-grid"));
    command.args(["ingest", url.as_str()]).arg(tree).arg("--out").arg(out);
    let output = command.env("LODGER_GRID_PASSWORD", "geheim").stdin(Stdio::null()).output();
    let output = output.expect("it runs");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert_eq!(output.status.code(), Some(1), "no file of a hash is in the tree: {said}");
    let manifest = fs::read_to_string(out.join("lodger-grid.json")).expect("a dataset");
    assert!(!said.contains("geheim") && !manifest.contains("geheim"), "{said}");
    all_cells(out)
}

fn ingest_dumps(dumps: &[PathBuf], tree: &Path, out: &Path) -> String {
    let sources: Vec<&Path> = dumps.iter().map(PathBuf::as_path).chain([tree]).collect();
    ingest_paths(&sources, out, lodger_grid::ingest::IngestOptions::default());
    all_cells(out)
}

fn blobs(data: &str, bare: &str) -> Vec<String> {
    let insert = |number| {
        format!(
            "INSERT INTO assets (id, name, description, {bare}, local, temporary, data) VALUES \
             ('{}', '', '', 49, {data})",
            uuid::Uuid::from_u128(number)
        )
    };
    (1..=u128::from(BLOBS)).map(insert).collect()
}

#[test]
fn servers_and_csv_give_the_same_records() {
    let content = Content::random(17, 2500);
    let folder = tempfile::tempdir().expect("there is space");
    let dumps = write_csv(&content, folder.path());
    let csv = OpenSimTables::open(&dumps).expect("all are tables");
    content.compare(&csv);
    let tree = folder.path().join("tree");
    store(&tree, Layout::OpenSim, &hash(b"of no row"), b"of no row");
    let rows_of_csv = ingest_dumps(&dumps, &tree, &folder.path().join("csv"));
    let objects_of_csv = objects(&csv);

    let mut running = filled_mariadb(&content);
    let tables = opened("mysql", &running, "grid");
    content.compare(&tables);
    assert!(objects(&tables) == objects_of_csv, "MariaDB and CSV give other objects");
    let reader = url("mysql", "reader", &running, "grid");
    assert!(
        ingest_database(&reader, &tree, &folder.path().join("mariadb")) == rows_of_csv,
        "other rows"
    );
    check_errors("mysql", &running, "grid");
    let begun = "TRUNCATE assets".to_owned();
    let sql = [vec![begun], blobs(&format!("0, 0, REPEAT('a', {BLOB})"), "assetType")].concat();
    execute::<sqlx::mysql::MySqlConnectOptions>(
        &admin("mysql", "root", running.port, "grid"),
        &sql,
    );
    let tables = opened("mariadb", &running, "grid");
    check_memory(&tables);
    check_loss(&tables, &mut running);
    drop(running);

    let mut running = filled_postgres(&content);
    let tables = opened("postgres", &running, "postgres");
    content.compare(&tables);
    assert!(objects(&tables) == objects_of_csv, "PostgreSQL and CSV give other objects");
    let reader = url("postgres", "reader", &running, "postgres");
    let rows = ingest_database(&reader, &tree, &folder.path().join("postgres"));
    assert!(rows == rows_of_csv, "other rows");
    check_errors("postgresql", &running, "postgres");
    let begun = "TRUNCATE assets".to_owned();
    let data = format!("false, false, convert_to(repeat('a', {BLOB}), 'UTF8')");
    let sql = [vec![begun], blobs(&data, "\"assetType\"")].concat();
    execute::<sqlx::postgres::PgConnectOptions>(
        &admin("postgres", "postgres", running.port, "postgres"),
        &sql,
    );
    let tables = opened("postgres", &running, "postgres");
    check_memory(&tables);
    check_loss(&tables, &mut running);
}
