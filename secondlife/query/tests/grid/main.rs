//! The library and the program on files, tables and datasets in temporary folders.

mod cluster;
mod dataset;
mod ingest_again;
mod ingest_archives;
mod ingest_tables;
mod ingest_trees;
mod program;
mod queries;
mod samples;
#[cfg(feature = "servers")]
mod servers;
mod tables_content;
mod tables_csv;
#[cfg(feature = "servers")]
mod tables_servers;
