//! The library and the program on files, tables and datasets that the tests make.

#[cfg(feature = "servers")]
mod servers;
mod tables_content;
mod tables_csv;
#[cfg(feature = "servers")]
mod tables_servers;
