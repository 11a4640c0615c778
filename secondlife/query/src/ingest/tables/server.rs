//! Tables of a live database, row by row.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use futures::TryStreamExt as _;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{
    AssertSqlSafe, Column as _, ColumnIndex, ConnectOptions as _, Connection, Database, Decode,
    Error, Executor, IntoArguments, Row as _, TypeInfo as _,
};
use tokio::runtime::Runtime;
use url::Url;

use super::layout::Layout;
use super::record::{Flow, Present, TableError};
use super::row::{Row, Value};
use super::sql::{Dialect, FoundColumn, Schema};
use super::words;

/// How long a server may take until it answers.
const PATIENCE: Duration = Duration::from_secs(30);

/// A database. Each question has a connection of its own, so that one that is ended early leaves nothing behind.
pub(super) struct Server {
    name: String,
    options: Options,
    runtime: Runtime,
    schema: Schema,
}

/// How it is reached; there may be a password in it.
enum Options {
    MySql(Box<MySqlConnectOptions>),
    Postgres(Box<PgConnectOptions>),
}

/// The names of the type of numbers with a fraction and 64 bits.
const REALS: [&str; 2] = ["DOUBLE", "FLOAT8"];

/// What a question's rows go to.
pub(super) type Take<'t> = &'t mut dyn FnMut(Row<'_>) -> Flow;

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Server {
    /// Connects, and asks which tables there are.
    pub(super) fn open(url: &Url) -> Result<Self, TableError> {
        if url.path().contains('@') {
            let todo = "there is a `@` behind its host: write `/`, `?`, `#` and `@` of a password as %2F, %3F, %23, %40";
            return Err(TableError::new(format!("{}://…", url.scheme()), todo));
        }
        let name = words::name(url);
        let fail = |error: &Error| TableError::new(&name, words::problem(error));
        let options = Options::of(url).map_err(|error| fail(&error))?;
        let options = options.ok_or_else(|| {
            TableError::new(&name, "a database is `mysql://`, `mariadb://` or `postgres://`")
        })?;
        if tokio::runtime::Handle::try_current().is_ok() {
            return Err(TableError::new(
                &name,
                "databases are not read on a thread of an executor",
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

    /// What it is called: no password is in it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The questions that its tables take.
    pub(super) fn schema(&self) -> &Schema {
        &self.schema
    }

    fn read_schema(&self) -> Result<Schema, TableError> {
        let mut columns = Vec::new();
        let dialect = self.options.dialect();
        self.rows(&dialect.schema(), &mut |row| {
            columns.extend(found_column(row));
            Flow::Go
        })?;
        Ok(Schema::new(dialect, columns))
    }

    /// Whether something can be read, and each table with what it takes.
    fn check(&self) -> Result<(), TableError> {
        let schema = &self.schema;
        let some = [Layout::FsAssets, Layout::Assets, Layout::Prims];
        if !some.into_iter().any(|table| schema.has(table)) {
            return Err(TableError::new(&self.name, words::no_tables()));
        }
        for table in Layout::ALL {
            if let [first, ..] = schema.missing(table)[..] {
                let what = format!(
                    "the table `{}` has no column `{first}` that the account may read: is it OpenSimulator's?",
                    table.name()
                );
                return Err(TableError::new(&self.name, what));
            }
        }
        if schema.has(Layout::Prims) && !schema.has(Layout::PrimShapes) {
            let what =
                "there is `prims` and no `primshapes` that the account may read: grant it `SELECT`";
            return Err(TableError::new(&self.name, what));
        }
        Ok(())
    }

    /// Which tables there are, with their rows.
    pub(super) fn present(&self) -> Result<Present, TableError> {
        let count = |table, sql: String| {
            if !self.schema.has(table) {
                return Ok(None);
            }
            let mut count = None;
            self.rows(&sql, &mut |row| {
                count = row.text(0).and_then(|text| text.parse().ok());
                Flow::Go
            })?;
            Ok(count)
        };
        Ok(Present {
            fsassets: count(Layout::FsAssets, self.schema.count_fs_assets())?,
            assets: count(Layout::Assets, self.schema.count_assets())?,
            objects: count(Layout::Prims, self.schema.count_objects())?,
        })
    }

    /// The rows that answer a question, one after the other.
    pub(super) fn rows(&self, sql: &str, take: Take<'_>) -> Result<(), TableError> {
        let told = match &self.options {
            Options::MySql(options) => {
                let connecting = options.connect();
                self.connect(connecting).and_then(|mut connection: MySqlConnection| {
                    prepare(&self.runtime, &mut connection, Dialect::MySql)?;
                    stream(&self.runtime, &mut connection, sql, take)
                })
            }
            Options::Postgres(options) => {
                let connecting = options.connect();
                self.connect(connecting).and_then(|mut connection: PgConnection| {
                    prepare(&self.runtime, &mut connection, Dialect::Postgres)?;
                    stream(&self.runtime, &mut connection, sql, take)
                })
            }
        };
        told.map_err(|error| TableError::new(&self.name, words::problem(&error)))
    }

    fn connect<C>(&self, connecting: impl Future<Output = Result<C, Error>>) -> Result<C, Error> {
        let patient = async { tokio::time::timeout(PATIENCE, connecting).await };
        self.runtime.block_on(patient).unwrap_or_else(|_| {
            let late = format!("it did not answer within {} s", PATIENCE.as_secs());
            Err(Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, late)))
        })
    }
}

impl Options {
    /// What a URL says, with the password of the environment where it has none; `None` of another kind of URL.
    fn of(url: &Url) -> Result<Option<Self>, Error> {
        let says = |key: &str| url.query_pairs().any(|(name, _)| name == key);
        let given = url.password().is_some() || says("password");
        let password = if given { None } else { std::env::var(words::PASSWORD).ok() };
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

/// A row of [`Dialect::schema`].
fn found_column(row: Row<'_>) -> Option<FoundColumn> {
    let text = |at| row.text(at).map(Cow::into_owned);
    let is_word = |text: &String| text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    let letters = text(3).filter(is_word).zip(text(4).filter(is_word));
    Some(FoundColumn {
        table: [text(0)?, text(1)?],
        name: text(2)?,
        letters: letters.map(<[String; 2]>::from),
    })
}

fn prepare<C>(runtime: &Runtime, connection: &mut C, dialect: Dialect) -> Result<(), Error>
where
    C: Connection,
    for<'c> &'c mut C: Executor<'c, Database = C::Database>,
{
    for sql in dialect.preparation() {
        runtime.block_on(connection.execute(sqlx::raw_sql(*sql)))?;
    }
    Ok(())
}

/// Hands each row on as it comes. What takes them runs outside of the runtime, and may have one of its own.
fn stream<C>(runtime: &Runtime, connection: &mut C, sql: &str, take: Take<'_>) -> Result<(), Error>
where
    C: Connection,
    for<'c> &'c mut C: Executor<'c, Database = C::Database>,
    <C::Database as Database>::Arguments: IntoArguments<C::Database>,
    usize: ColumnIndex<<C::Database as Database>::Row>,
    for<'r> &'r [u8]: Decode<'r, C::Database>,
    for<'r> f64: Decode<'r, C::Database>,
{
    let question = sqlx::query(AssertSqlSafe(sql.to_owned()));
    let mut rows = question.fetch(connection);
    while let Some(row) = runtime.block_on(rows.try_next())? {
        let value = |at: usize| {
            if REALS.contains(&row.try_column(at)?.type_info().name()) {
                let number = row.try_get_unchecked::<Option<f64>, _>(at)?;
                return Ok(number.map(|number| Cow::Owned(number.to_string().into_bytes())));
            }
            Ok(row.try_get_unchecked::<Option<&[u8]>, _>(at)?.map(Cow::Borrowed))
        };
        let values: Vec<Value<'_>> = (0..row.len()).map(value).collect::<Result<_, Error>>()?;
        if take(Row(&values)) == Flow::Stop {
            break;
        }
    }
    Ok(())
}
