//! Evaluates the test vectors of a host: on a board through its host connection, on an operating system through standard
//! input and output.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device {
    use lodger_programs::board::{self, HostLink, exit, finish};
    use lodger_wire::conform::{HeaplessBackend, serve};

    #[board::entry]
    fn main() -> ! {
        match HostLink::open() {
            Some(host) => finish(&serve(host, &mut HeaplessBackend)),
            None => exit(1),
        }
    }
}

#[cfg(not(target_os = "none"))]
mod process {
    use std::io::{self, Read, StdinLock, StdoutLock, Write};

    use lodger_wire::Transport;

    pub(super) struct Pipes {
        input: StdinLock<'static>,
        output: StdoutLock<'static>,
    }

    impl Pipes {
        pub(super) fn open() -> Self {
            Self { input: io::stdin().lock(), output: io::stdout().lock() }
        }
    }

    impl Transport for Pipes {
        type Error = io::Error;

        fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.input.read(buffer)
        }

        fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.output.write_all(bytes)?;
            self.output.flush()
        }
    }
}

#[cfg(not(target_os = "none"))]
fn main() -> std::process::ExitCode {
    let outcome = lodger_wire::conform::serve(
        process::Pipes::open(),
        &mut lodger_wire::conform::HeaplessBackend,
    );
    match outcome {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}
