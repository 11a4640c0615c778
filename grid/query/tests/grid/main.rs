//! Datasets that are made in temporary folders, questions to them, and clusters that answer.

mod cluster;
mod dataset;
mod ingest_archives;
mod ingest_program;
mod ingest_tables;
mod ingest_trees;
mod questions;
mod samples;
