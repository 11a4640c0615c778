//! Tables of a live database, row by row.

use std::borrow::Cow;
use std::fmt;
use std::io::ErrorKind;
use std::ops::ControlFlow::{self, Continue};
use std::time::Duration;

use futures::TryStreamExt as _;
use lodger_terminal::{MAX_SENTENCE, sanitize_to};
use sqlx::mysql::MySqlConnectOptions;
use sqlx::postgres::PgConnectOptions;
use sqlx::{
    AssertSqlSafe, Column as _, ColumnIndex, ConnectOptions as _, Connection, Database, Decode,
    Error, Executor, IntoArguments, Row as _, TypeInfo as _,
};
use tokio::runtime::Runtime;
use url::Url;

use super::records::{Present, RecordValue, TableKind, TableRow};
use super::sql::{ColumnSchema, Dialect, Schema};
use crate::ingest::options::IngestError;

const TIMEOUT: Duration = Duration::from_secs(30);

/// A database. Each query has its own connection, so that it can be abandoned.
pub(super) struct LiveDatabase {
    name: String,
    options: DatabaseOptions,
    runtime: Runtime,
    schema: Schema,
}

enum DatabaseOptions {
    MySql(Box<MySqlConnectOptions>),
    Postgres(Box<PgConnectOptions>),
}

/// Names of the 64-bit floating-point type.
const REALS: [&str; 2] = ["DOUBLE", "FLOAT8"];

pub(super) type RowCallback<'t> = &'t mut dyn FnMut(TableRow<'_>) -> ControlFlow<()>;

impl fmt::Debug for LiveDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveDatabase").field("name", &self.name).finish_non_exhaustive()
    }
}

impl LiveDatabase {
    pub(super) fn open(url: &Url) -> Result<Self, IngestError> {
        if url.path().contains('@') {
            let help = "there is a `@` after its host: write `/`, `?`, `#` and `@` of a password as %2F, %3F, %23, %40";
            return Err(IngestError::new(format!("{}://…", url.scheme()), help));
        }
        let name = name_of(url);
        let fail = |error: &Error| IngestError::new(&name, problem(error));
        let options = DatabaseOptions::from_url(url).map_err(|error| fail(&error))?;
        let options = options.ok_or_else(|| {
            IngestError::new(&name, "a database is `mysql://`, `mariadb://` or `postgres://`")
        })?;
        if tokio::runtime::Handle::try_current().is_ok() {
            return Err(IngestError::new(
                &name,
                "databases cannot be read on a thread of an async runtime",
            ));
        }
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_all().build();
        let runtime = runtime.map_err(|error| fail(&Error::Io(error)))?;
        let schema = Schema::new(options.dialect(), []);
        let mut server = Self { name, options, runtime, schema };
        server.schema = server.read_schema()?;
        server.check()?;
        Ok(server)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn schema(&self) -> &Schema {
        &self.schema
    }

    fn read_schema(&self) -> Result<Schema, IngestError> {
        let mut columns = Vec::new();
        let dialect = self.options.dialect();
        self.rows(&dialect.schema(), &mut |row| {
            columns.extend(column_schema(row));
            Continue(())
        })?;
        Ok(Schema::new(dialect, columns))
    }

    /// Rejects a database without readable tables or with missing columns.
    fn check(&self) -> Result<(), IngestError> {
        let schema = &self.schema;
        let tables = [TableKind::FsAssets, TableKind::Assets, TableKind::Prims];
        if !tables.into_iter().any(|table| schema.has(table)) {
            return Err(IngestError::new(&self.name, no_tables()));
        }
        for table in TableKind::ALL {
            if let [first, ..] = schema.missing(table)[..] {
                let problem = format!(
                    "the table `{}` has no column `{first}` that the account may read: is it a table of OpenSimulator?",
                    table.name()
                );
                return Err(IngestError::new(&self.name, problem));
            }
        }
        if schema.has(TableKind::Prims) && !schema.has(TableKind::PrimShapes) {
            let problem =
                "there is `prims` and no `primshapes` that the account may read: grant it `SELECT`";
            return Err(IngestError::new(&self.name, problem));
        }
        Ok(())
    }

    pub(super) fn present(&self) -> Result<Present, IngestError> {
        let count = |table, sql: String| {
            if !self.schema.has(table) {
                return Ok(None);
            }
            let mut count = None;
            self.rows(&sql, &mut |row| {
                count = row.text(0).and_then(|text| text.parse().ok());
                Continue(())
            })?;
            Ok::<_, IngestError>(count)
        };
        Ok(Present {
            fsassets: count(TableKind::FsAssets, self.schema.count_fs_assets())?,
            assets: count(TableKind::Assets, self.schema.count_assets())?,
            objects: count(TableKind::Prims, self.schema.count_objects())?,
        })
    }

    pub(super) fn rows(&self, sql: &str, take: RowCallback<'_>) -> Result<(), IngestError> {
        let read = match &self.options {
            DatabaseOptions::MySql(options) => self.stream(options.connect(), sql, take),
            DatabaseOptions::Postgres(options) => self.stream(options.connect(), sql, take),
        };
        read.map_err(|error| IngestError::new(&self.name, problem(&error)))
    }

    /// Calls `take` with each row outside of the runtime, so that `take` may use another.
    fn stream<C>(
        &self,
        connecting: impl Future<Output = Result<C, Error>>,
        sql: &str,
        take: RowCallback<'_>,
    ) -> Result<(), Error>
    where
        C: Connection,
        for<'c> &'c mut C: Executor<'c, Database = C::Database>,
        <C::Database as Database>::Arguments: IntoArguments<C::Database>,
        usize: ColumnIndex<<C::Database as Database>::Row>,
        for<'r> &'r [u8]: Decode<'r, C::Database>,
        for<'r> f64: Decode<'r, C::Database>,
    {
        let patient = async { tokio::time::timeout(TIMEOUT, connecting).await };
        let mut connection = self.runtime.block_on(patient).unwrap_or_else(|_| {
            let late = format!("it did not answer within {} s", TIMEOUT.as_secs());
            Err(Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, late)))
        })?;
        for preparation in self.options.dialect().preparation() {
            self.runtime.block_on(connection.execute(sqlx::raw_sql(*preparation)))?;
        }
        let query = sqlx::query(AssertSqlSafe(sql.to_owned()));
        let mut rows = query.fetch(&mut connection);
        while let Some(row) = self.runtime.block_on(rows.try_next())? {
            let value = |at: usize| {
                if REALS.contains(&row.try_column(at)?.type_info().name()) {
                    let number = row.try_get_unchecked::<Option<f64>, _>(at)?;
                    return Ok(number.map(|number| Cow::Owned(number.to_string().into_bytes())));
                }
                Ok(row.try_get_unchecked::<Option<&[u8]>, _>(at)?.map(Cow::Borrowed))
            };
            let values: Vec<RecordValue<'_>> =
                (0..row.len()).map(value).collect::<Result<_, Error>>()?;
            if take(TableRow(&values)).is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl DatabaseOptions {
    /// Parses a URL; a missing password is read from the environment. `None` for another kind of
    /// URL.
    fn from_url(url: &Url) -> Result<Option<Self>, Error> {
        let has = |key: &str| url.query_pairs().any(|(name, _)| name == key);
        let has_password = url.password().is_some() || has("password");
        let password = if has_password { None } else { std::env::var(PASSWORD).ok() };
        Ok(match url.scheme() {
            "mysql" | "mariadb" => {
                let options = MySqlConnectOptions::from_url(url)?.pipes_as_concat(false);
                Some(Self::MySql(Box::new(match password {
                    Some(password) => options.password(&password),
                    None => options,
                })))
            }
            "postgres" | "postgresql" => {
                let options = PgConnectOptions::from_url(url)?.application_name("lodger-grid");
                Some(Self::Postgres(Box::new(match password {
                    Some(password) => options.password(&password),
                    None => options,
                })))
            }
            _ => None,
        })
    }

    const fn dialect(&self) -> Dialect {
        match self {
            Self::MySql(_) => Dialect::MySql,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }
}

fn column_schema(row: TableRow<'_>) -> Option<ColumnSchema> {
    let text = |at| row.text(at).map(Cow::into_owned);
    let is_word = |text: &String| text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    let charset = text(3).filter(is_word).zip(text(4).filter(is_word));
    Some(ColumnSchema {
        table: [text(0)?, text(1)?],
        name: text(2)?,
        charset: charset.map(<[String; 2]>::from),
    })
}

const PASSWORD: &str = "LODGER_GRID_PASSWORD";

const SHOWN: [&str; 4] = ["host", "port", "socket", "dbname"];

fn name_of(url: &Url) -> String {
    let mut shown = url.clone();
    shown.set_fragment(None);
    shown.set_query(None);
    // Setting fails for URLs without a host, which have no password either.
    let hidden = shown.set_password(None).is_ok() || url.password().is_none();
    let pairs = url.query_pairs().filter(|(key, _)| SHOWN.contains(&key.as_ref()));
    let pairs: Vec<(String, String)> =
        pairs.map(|(key, value)| (key.into_owned(), value.into_owned())).collect();
    if !pairs.is_empty() {
        shown.query_pairs_mut().extend_pairs(pairs);
    }
    if hidden { shown.to_string() } else { format!("{}:", url.scheme()) }
}

fn problem(error: &Error) -> String {
    match error {
        Error::Database(error) => {
            let said = sanitize_to(error.message(), MAX_SENTENCE);
            match advice(error.code().as_deref(), number(error.as_ref())) {
                Some((what, help)) => format!("{what} (it says: {said}): {help}"),
                None => format!("the database says: {said}"),
            }
        }
        Error::Io(error) => io(error),
        Error::Tls(error) => format!(
            "no encrypted connection: {}; see `sslmode` (PostgreSQL) and `ssl-mode` (MySQL) in the URL",
            sanitize_to(&error.to_string(), MAX_SENTENCE)
        ),
        // The error may quote the URL.
        Error::Configuration(_) => "its URL has an unknown connection setting after `?`".to_owned(),
        Error::Protocol(said) => format!(
            "the server does not use the protocol of this database, or ended the connection: {}",
            sanitize_to(said, MAX_SENTENCE)
        ),
        other => sanitize_to(&other.to_string(), MAX_SENTENCE).into_owned(),
    }
}

fn io(error: &std::io::Error) -> String {
    let help = match error.kind() {
        ErrorKind::ConnectionRefused => {
            "the connection was refused: does the server run, and does it listen on that port?"
        }
        ErrorKind::NotFound => "there is no such socket: does the server run?",
        ErrorKind::PermissionDenied => "the socket may not be opened: connect by host and port",
        ErrorKind::UnexpectedEof
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe => {
            "the connection is lost: run it again, it continues where it was"
        }
        _ => "the host cannot be reached: are its name and the network right?",
    };
    format!("{help} ({})", sanitize_to(&error.to_string(), MAX_SENTENCE))
}

/// The number of an error of `MySQL`, whose state is often too general.
fn number(error: &dyn sqlx::error::DatabaseError) -> Option<u16> {
    error
        .try_downcast_ref::<sqlx::mysql::MySqlDatabaseError>()
        .map(sqlx::mysql::MySqlDatabaseError::number)
}

/// The problem and its remedy by the states of `PostgreSQL` (appendix A of its manual) and the
/// numbers of `MySQL` (its reference of server errors).
fn advice(state: Option<&str>, number: Option<u16>) -> Option<(&'static str, String)> {
    let password = || {
        format!("check both; the password is in the URL or in the environment variable {PASSWORD}")
    };
    let grant = || "grant the account `SELECT` on the tables".to_owned();
    match (state, number) {
        (_, Some(1045 | 1698)) | (Some("28P01"), _) => Some(("wrong user or password", password())),
        (Some("28000"), None) => Some((
            "the user may not connect from here",
            "see `pg_hba.conf` of the server".to_owned(),
        )),
        (_, Some(1044)) => Some(("the user may not use the database", grant())),
        (_, Some(1142 | 1143)) | (Some("42501"), _) => Some(("a table may not be read", grant())),
        (_, Some(1049)) | (Some("3D000"), _) => Some((
            "there is no such database",
            "check the name after the last `/` of the URL".to_owned(),
        )),
        (_, Some(1146)) | (Some("42P01"), _) => {
            Some(("a table is not there any more", "run it again".to_owned()))
        }
        (_, Some(1317 | 3024 | 1969)) | (Some("57014" | "57P01"), _) => Some((
            "the database has ended the query",
            "run it again, it continues where it was".to_owned(),
        )),
        _ => None,
    }
}

fn no_tables() -> String {
    "none of the tables `fsassets`, `assets` and `prims` is in it, or the account may read none: \
     is it the right database, and has the account been granted `SELECT`?"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_no_password() {
        for (url, shown) in [
            ("mysql://me:geheim@host:33/grid", "mysql://me@host:33/grid"),
            ("postgres://me@host/grid?password=geheim&sslmode=require", "postgres://me@host/grid"),
            (
                "postgres://me:geheim@x/grid?host=%2Frun%2Fpg#geheim",
                "postgres://me@x/grid?host=%2Frun%2Fpg",
            ),
            ("mysql:///grid?socket=/run/my.sock", "mysql:///grid?socket=%2Frun%2Fmy.sock"),
        ] {
            assert_eq!(name_of(&Url::parse(url).unwrap()), shown);
        }
    }
}
