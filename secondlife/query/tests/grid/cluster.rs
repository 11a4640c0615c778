mod datasets;
mod fixtures;

use std::time::Duration;

use datafusion::error::DataFusionError;
use datafusion::prelude::{SessionConfig, SessionContext};
use lodger_grid::cluster::{ClusterError, connect};
use tokio::time::{sleep, timeout};

use fixtures::{Cluster, Node, Parts, QUERIES, run};

const TIMEOUT: Duration = Duration::from_mins(2);

/// A query of some seconds: each part is priced at 90 scales.
const LONG: &str = "SELECT p.kind, count(*) AS parts,
        sum(millionths(physics_cost(p.shape_type, p.physical, p.x * s.factor, p.y, p.z, p.hull_vertices,
            p.hulls, p.hulls_vertices, NULL, NULL, NULL))) AS physics,
        sum(millionths(streaming_cost(p.x * s.factor, p.y, p.z, p.lowest, p.low, p.medium, p.high))) AS streaming
    FROM parts p CROSS JOIN (SELECT DISTINCT 1.0 + row % 90 / 90.0 AS factor FROM parts) s
    GROUP BY p.kind ORDER BY p.kind";

fn config(partitions: usize) -> SessionConfig {
    SessionConfig::new().with_target_partitions(partitions)
}

async fn local(parts: &Parts, partitions: usize) -> SessionContext {
    let mut context = SessionContext::new_with_config(config(partitions));
    lodger_functions::register(&mut context).expect("functions");
    parts.register(&context).await;
    context
}

async fn remote(parts: &Parts, cluster: &Cluster, partitions: usize) -> SessionContext {
    let context = connect(cluster.address(), config(partitions)).await.expect("a scheduler");
    parts.register(&context).await;
    context
}

fn problem(error: &DataFusionError) -> &ClusterError {
    let DataFusionError::External(inner) = error else {
        panic!("no error of a cluster: {error:?}")
    };
    let error: &ClusterError = inner.downcast_ref().expect("an error of a cluster");
    assert!(!error.problem.contains('\n') && !error.problem.is_empty(), "{error:?}");
    error
}

#[tokio::test(flavor = "multi_thread")]
async fn results_do_not_depend_on_cluster_and_partitions() {
    let parts = Parts::write(8, 500);
    let cluster = Cluster::start(2);
    let local = local(&parts, 1).await;
    for partitions in [1, 2, 8] {
        let remote = remote(&parts, &cluster, partitions).await;
        for question in QUERIES {
            let expected = run(&local, question).await.expect(question);
            let found = run(&remote, question).await.expect(question);
            assert_eq!(found, expected, "{question}\nin {partitions} partitions");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_executor_killed_in_a_query_costs_no_row() {
    let parts = Parts::write(16, 2_000);
    let mut cluster = Cluster::start(2);
    let expected = run(&local(&parts, 2).await, LONG).await.expect("totals");
    let mut hits = 0;
    for (moment, partitions) in [(0, 2), (400, 8), (1_500, 8), (3_000, 2)] {
        let remote = remote(&parts, &cluster, partitions).await;
        let query = tokio::spawn(async move { timeout(TIMEOUT, run(&remote, LONG)).await });
        cluster.wait_for_work(1).await;
        sleep(Duration::from_millis(moment)).await;
        hits += usize::from(!query.is_finished());
        cluster.kill(1);
        match query.await.expect("no panic").expect("an end within 120 s") {
            Ok(found) => assert_eq!(found, expected, "killed {moment} ms into it"),
            Err(error) => eprintln!("killed {moment} ms into it: {}", problem(&error)),
        }
        cluster.add();
    }
    assert!(hits > 0, "all queries were over before the kill");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_without_an_executor_ends_with_one_error() {
    let parts = Parts::write(2, 100);
    let cluster = Cluster::start(0);
    let remote = remote(&parts, &cluster, 2).await;
    let found = timeout(TIMEOUT, run(&remote, QUERIES[0])).await.expect("an end within 120 s");
    let error = found.expect_err("no executor can answer");
    assert!(problem(&error).problem.contains("no executor"), "{error}");
}

async fn error_after(executors: usize, kill: impl FnOnce(&mut Cluster)) -> String {
    let parts = Parts::write(16, 2_000);
    let mut cluster = Cluster::start(executors);
    let remote = remote(&parts, &cluster, 2).await;
    let query = tokio::spawn(async move { timeout(TIMEOUT, run(&remote, LONG)).await });
    cluster.wait_for_work(executors - 1).await;
    kill(&mut cluster);
    let found = query.await.expect("no panic").expect("an end within 120 s");
    problem(&found.expect_err("no executor can answer")).problem.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_whose_executors_all_die_ends_with_one_error() {
    let error = error_after(2, |cluster| {
        cluster.kill(1);
        cluster.kill(0);
    });
    let error = error.await;
    assert!(error.contains("executor"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_whose_scheduler_dies_ends_with_one_error() {
    let error = error_after(1, Cluster::kill_scheduler).await;
    assert!(error.contains("does not answer any more"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_error_of_a_query_is_one_line() {
    let parts = Parts::write(2, 100);
    let cluster = Cluster::start(1);
    let remote = remote(&parts, &cluster, 2).await;
    let error = run(&remote, "SELECT sum(1 / (part - part)) FROM parts").await.expect_err("by 0");
    assert!(problem(&error).problem.ends_with("failed: divide by zero"), "{error}");
    let error = run(&remote, "SELECT * FROM range(0, 3)").await.expect_err("no files");
    assert!(error.to_string().contains("works only in one process"), "{error}");
    assert!(!error.to_string().contains("Codec"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_scheduler_is_an_error() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    drop(listener);
    let error = connect(&address, config(1)).await.err().expect("no scheduler");
    assert_eq!(error.address, address);
    assert!(error.problem.contains("lodger grid scheduler"), "{error}");
    assert!(connect("no address", config(1)).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_program_instead_of_a_scheduler_is_an_error() {
    let other = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = other.local_addr().expect("an address").to_string();
    let error = connect(&address, config(1)).await.err().expect("it never answers");
    assert!(error.problem.contains("no answer in 5 s"), "{error}");
}

#[test]
fn ports_in_use_and_missing_schedulers_are_errors() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let said = Node::fails(&["scheduler", "--port", &port]);
    assert!(said.contains("another program listens at this port"), "{said}");
    let said = Node::fails(&["executor", "--port", &port]);
    assert!(said.contains("another program listens at this port"), "{said}");
    drop(taken);
    let scheduler = format!("127.0.0.1:{port}");
    let said = Node::fails(&["executor", "--scheduler", &scheduler, "--port", "0"]);
    assert!(said.contains("no scheduler answers there"), "{said}");
    let said = Node::fails(&["scheduler", "--bind", "0.0.0.0", "--port", "0"]);
    assert!(said.contains("--external-host"), "{said}");
    let said = Node::fails(&["scheduler", "--port", "0", "--log", "a=b=c"]);
    assert!(said.contains("no filter for the log"), "{said}");
}

#[cfg(unix)]
#[test]
fn signals_end_both_processes_cleanly() {
    for (signal, code) in [("-INT", 130), ("-TERM", 0)] {
        let mut cluster = Cluster::start(1);
        assert_eq!(cluster.ask_executor(0, signal), Some(code), "{signal}");
        assert_eq!(cluster.ask_scheduler(signal), Some(code), "{signal}");
        assert_eq!(cluster.left_behind(), 0, "folders of executors");
    }
}
