//! The library and the program on files, tables and datasets that the tests make.

mod tables_content;
mod tables_csv;
#[cfg(feature = "servers")]
mod tables_servers;
