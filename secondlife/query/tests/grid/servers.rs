use std::fs;
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub(crate) const ADMIN: &str = "only-for-tests";
const START_TIMEOUT: Duration = Duration::from_mins(3);

pub(crate) struct RunningServer {
    child: Child,
    signal: &'static str,
    pub(crate) port: u16,
    pub(crate) folder: TempDir,
}

impl RunningServer {
    pub(crate) fn end(&mut self) {
        if !matches!(self.child.try_wait(), Ok(None)) {
            return;
        }
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", self.signal, &pid]).status();
        if sent.is_ok_and(|status| status.success()) {
            let begin = Instant::now();
            while begin.elapsed() < START_TIMEOUT {
                if !matches!(self.child.try_wait(), Ok(None)) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        self.child.kill().ok();
        self.child.wait().ok();
    }

    fn wait(mut self, is_up: impl Fn(&Self) -> bool) -> Self {
        let begin = Instant::now();
        while !is_up(&self) {
            let ended = self.child.try_wait().expect("it is our child");
            let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(ended.is_none(), "the server has ended: {log}");
            assert!(begin.elapsed() < START_TIMEOUT, "the server does not come up: {log}");
            std::thread::sleep(Duration::from_millis(50));
        }
        self
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.end();
    }
}

fn program(places: &[PathBuf], package: &str) -> PathBuf {
    places.iter().find(|path| path.is_file()).cloned().unwrap_or_else(|| {
        panic!(
            "{} is not installed: `apt-get install --no-install-recommends {package}`",
            places[0].display()
        )
    })
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    listener.local_addr().expect("it is bound").port()
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

fn done(command: &mut Command) {
    let output = command.stdin(Stdio::null()).output().expect("it can be run");
    assert!(
        output.status.success(),
        "{command:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn started(
    command: &mut Command,
    folder: TempDir,
    signal: &'static str,
    port: u16,
) -> RunningServer {
    let log = fs::File::create(folder.path().join("log")).expect("there is space");
    let copy = log.try_clone().expect("it is a file");
    let command = command.stdin(Stdio::null()).stdout(log).stderr(copy);
    RunningServer { child: command.spawn().expect("it can be run"), signal, port, folder }
}

/// Starts `MariaDB` with an empty database `grid`.
pub(crate) fn mariadb() -> RunningServer {
    let of = |name: &str| {
        let places = ["/usr/sbin", "/usr/bin"].map(|folder| Path::new(folder).join(name));
        program(&places, "mariadb-server")
    };
    let folder = tempfile::tempdir().expect("there is space");
    let data = format!("--datadir={}", folder.path().join("data").display());
    let mut user = Vec::new();
    if is_root() {
        user.push("--user=root");
    }
    done(
        Command::new(of("mariadb-install-db"))
            .args([
                "--no-defaults",
                "--skip-test-db",
                "--auth-root-authentication-method=normal",
                &data,
            ])
            .args(&user),
    );
    let port = free_port();
    let socket = format!("--socket={}", folder.path().join("socket").display());
    let pid = format!("--pid-file={}", folder.path().join("pid").display());
    let port_is = format!("--port={port}");
    let mut command = Command::new(of("mariadbd"));
    command
        .args([
            "--no-defaults",
            "--bind-address=127.0.0.1",
            "--skip-name-resolve",
            "--innodb-flush-log-at-trx-commit=0",
        ])
        .args([&data, &socket, &pid, &port_is])
        .args(&user);
    let running = started(&mut command, folder, "TERM", port);
    let client = of("mariadb");
    let ask = |running: &RunningServer, sql: &str| {
        let socket = format!("--socket={}", running.folder.path().join("socket").display());
        let mut command = Command::new(&client);
        command.args(["--no-defaults", "--user=root", &socket, "-e", sql]);
        command
    };
    let running = running.wait(|running| {
        let output = ask(running, "SELECT 1").stdin(Stdio::null()).output();
        output.is_ok_and(|output| output.status.success())
    });
    let sql = format!(
        "CREATE DATABASE grid; GRANT ALL ON *.* TO root@'127.0.0.1' IDENTIFIED BY '{ADMIN}' WITH GRANT OPTION; \
         ALTER USER root@localhost IDENTIFIED BY '{ADMIN}'"
    );
    done(&mut ask(&running, &sql));
    running
}

fn postgres_user() -> (u32, u32) {
    let users = fs::read_to_string("/etc/passwd").expect("there are users");
    let line = users.lines().find(|line| line.starts_with("postgres:"));
    let line = line.expect("there is no user `postgres`: the package `postgresql` makes it");
    let mut ids = line.split(':').skip(2).map(|id| id.parse().expect("it is a number"));
    (ids.next().expect("there is one"), ids.next().expect("there is one"))
}

pub(crate) fn postgres() -> RunningServer {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> =
        versions.map(|entry| entry.path().join("bin/postgres")).collect();
    versions.sort();
    versions.push(PathBuf::from("/usr/bin/postgres"));
    let server = program(&versions, "postgresql");
    let folder = tempfile::tempdir().expect("there is space");
    let ids = is_root().then(postgres_user);
    if let Some((user, group)) = ids {
        std::os::unix::fs::chown(folder.path(), Some(user), Some(group)).expect("root may do so");
    }
    let as_user = |command: &mut Command| {
        command.current_dir(folder.path());
        if let Some((user, group)) = ids {
            command.uid(user).gid(group);
        }
    };
    let (data, password) = (folder.path().join("data"), folder.path().join("password"));
    fs::write(&password, ADMIN).expect("there is space");
    let mut init = Command::new(server.with_file_name("initdb"));
    init.args([
        "--auth=scram-sha-256",
        "--username=postgres",
        "--encoding=UTF8",
        "--locale=C",
        "--no-sync",
    ]);
    init.arg("--pwfile").arg(&password).arg("-D").arg(&data);
    as_user(&mut init);
    done(&mut init);
    let port = free_port();
    let mut command = Command::new(&server);
    command.arg("-D").arg(&data).arg("-k").arg(folder.path()).args(["-p", &port.to_string()]);
    command.args(["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]);
    as_user(&mut command);
    let ready = server.with_file_name("pg_isready");
    started(&mut command, folder, "QUIT", port).wait(|running| {
        let mut ask = Command::new(&ready);
        ask.args(["-q", "-h", "127.0.0.1", "-p", &running.port.to_string()]);
        ask.status().is_ok_and(|status| status.success())
    })
}
