//! The screen of `lodger board monitor` on a pseudo-terminal.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use crate::bench::{Board, Kind, end_of, lodger_board};

const PATIENCE: Duration = Duration::from_mins(1);
/// Restores the previous screen.
const LEAVE_SCREEN: &str = "\x1b[?1049l";

struct Terminal {
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    shown: String,
    user: OwnedFd,
    child: Child,
}

impl Terminal {
    fn start(arguments: &[&str]) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&master).and_then(|()| unlockpt(&master)).expect("a terminal");
        let size = Winsize { ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).expect("a size");
        let name = ptsname(&master, Vec::new()).expect("a name");
        let user = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("its other end");
        let stream = || Stdio::from(user.try_clone().expect("a stream"));
        let child = lodger_board(arguments)
            .env("TERM", "xterm-256color")
            .stdin(stream())
            .stdout(stream())
            .stderr(stream())
            .spawn()
            .expect("lodger-board");
        let keyboard = File::from(master);
        let mut output = keyboard.try_clone().expect("its output");
        let (sender, screen) = mpsc::channel();
        thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(len @ 1..) = output.read(&mut piece) {
                if sender.send(piece[..len].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { keyboard, screen, shown: String::new(), user, child }
    }

    #[track_caller]
    fn wait_for(&mut self, part: &str) {
        let begun = Instant::now();
        while !self.shown.contains(part) {
            let piece = self.screen.recv_timeout(PATIENCE.saturating_sub(begun.elapsed()));
            assert!(begun.elapsed() < PATIENCE, "no {part:?} in {:?}", self.shown);
            let piece = piece.unwrap_or_else(|_| panic!("no {part:?} in {:?}", self.shown));
            self.shown += &String::from_utf8_lossy(&piece);
        }
    }

    fn press(&mut self, keys: &[u8]) {
        self.keyboard.write_all(keys).expect("a key");
    }

    /// Whether lines are edited and echoed again.
    fn is_restored(&self) -> bool {
        let modes = tcgetattr(&self.user).expect("modes").local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It has already ended, unless a test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[track_caller]
fn leave_by(keys: &[u8], code: i32) {
    let board = Board::new(Kind::Microbit);
    board.lodger("flash", "demo", &[]).exited(0);
    let (program, probe) = (Kind::Microbit.program("demo"), board.probe());
    let mut terminal = Terminal::start(&["monitor", &program, "--probe", &probe]);
    for part in ["Budget", "cloth", "particles", "Log", "leaves"] {
        terminal.wait_for(part);
    }
    assert!(!terminal.is_restored());
    terminal.press(keys);
    terminal.wait_for(LEAVE_SCREEN);
    // The last frame remains as a line.
    terminal.wait_for("particles: LODs");
    assert_eq!(end_of(&mut terminal.child, Instant::now()), Some(code));
    assert!(terminal.is_restored());
}

#[test]
fn q_leaves_the_terminal_as_it_was() {
    leave_by(b"q", 0);
}

#[test]
fn q_that_is_held_down_leaves_once() {
    leave_by(b"qqqqq", 0);
}

#[test]
fn ctrl_c_leaves_the_terminal_as_it_was() {
    leave_by(&[3], 130);
}
