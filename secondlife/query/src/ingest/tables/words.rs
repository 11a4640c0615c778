//! What is wrong with a database, in words that say what to do. A password is in none of them.

use std::io::ErrorKind;

use lodger_terminal::{LONGEST_SENTENCE, clipped};
use sqlx::Error;
use url::Url;

/// The environment variable with the password.
pub(super) const PASSWORD: &str = "LODGER_GRID_PASSWORD";

/// What may stand in a name of what a URL has behind `?`.
const SHOWN: [&str; 4] = ["host", "port", "socket", "dbname"];

/// A URL without its password.
pub(super) fn name(url: &Url) -> String {
    let mut shown = url.clone();
    shown.set_fragment(None);
    shown.set_query(None);
    // Both fail of URLs that have no host, and those have no password either.
    let hidden = shown.set_password(None).is_ok() || url.password().is_none();
    let pairs = url.query_pairs().filter(|(key, _)| SHOWN.contains(&key.as_ref()));
    let pairs: Vec<(String, String)> =
        pairs.map(|(key, value)| (key.into_owned(), value.into_owned())).collect();
    if !pairs.is_empty() {
        shown.query_pairs_mut().extend_pairs(pairs);
    }
    if hidden { shown.to_string() } else { format!("{}:", url.scheme()) }
}

/// Why nothing can be read of a database, whose name says the host and the database already.
pub(super) fn problem(error: &Error) -> String {
    match error {
        Error::Database(error) => {
            let said = clipped(error.message(), LONGEST_SENTENCE);
            match advice(error.code().as_deref(), number(error.as_ref())) {
                Some((what, todo)) => format!("{what} (it says: {said}): {todo}"),
                None => format!("the database says: {said}"),
            }
        }
        Error::Io(error) => io(error),
        Error::Tls(error) => format!(
            "no encrypted connection: {}; see `sslmode` (PostgreSQL) and `ssl-mode` (MySQL) in the URL",
            clipped(&error.to_string(), LONGEST_SENTENCE)
        ),
        // It may quote what stands in the URL.
        Error::Configuration(_) => {
            "its URL has something behind `?` that is no setting of a connection".to_owned()
        }
        Error::Protocol(said) => format!(
            "what answers does not speak as this kind of database does, or ended in the middle: {}",
            clipped(said, LONGEST_SENTENCE)
        ),
        other => clipped(&other.to_string(), LONGEST_SENTENCE).into_owned(),
    }
}

fn io(error: &std::io::Error) -> String {
    let todo = match error.kind() {
        ErrorKind::ConnectionRefused => {
            "nobody answers there: does the server run, and does it listen on that port?"
        }
        ErrorKind::NotFound => "there is no such socket: does the server run?",
        ErrorKind::PermissionDenied => "the socket may not be opened: connect by host and port",
        ErrorKind::UnexpectedEof
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe => "the connection is lost: run it again, it goes on where it was",
        _ => "the host cannot be reached: are its name and the network right?",
    };
    format!("{todo} ({})", clipped(&error.to_string(), LONGEST_SENTENCE))
}

/// The number of an error of `MySQL`, whose state is often a general one.
fn number(error: &dyn sqlx::error::DatabaseError) -> Option<u16> {
    error
        .try_downcast_ref::<sqlx::mysql::MySqlDatabaseError>()
        .map(sqlx::mysql::MySqlDatabaseError::number)
}

/// What is wrong and what to do, by the states of `PostgreSQL` (appendix A of its manual) and the numbers of `MySQL`
/// (its reference of server errors).
fn advice(state: Option<&str>, number: Option<u16>) -> Option<(&'static str, String)> {
    let password = || {
        format!(
            "check both; the password stands in the URL or in the environment variable {PASSWORD}"
        )
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
            "check the name behind the last `/` of the URL".to_owned(),
        )),
        (_, Some(1146)) | (Some("42P01"), _) => {
            Some(("a table is not there any more", "run it again".to_owned()))
        }
        (_, Some(1317 | 3024 | 1969)) | (Some("57014" | "57P01"), _) => Some((
            "the database has ended the question",
            "run it again, it goes on where it was".to_owned(),
        )),
        _ => None,
    }
}

/// What to say of a database in which no table may be read.
pub(super) fn no_tables() -> String {
    "none of the tables `fsassets`, `assets` and `prims` is in it, or the account may read none: \
     is it the right database, and has the account been granted `SELECT`?"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::name;

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
            assert_eq!(name(&Url::parse(url).unwrap()), shown);
        }
    }
}
