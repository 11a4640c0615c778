//! The installation folder of the C library, in the usual Unix layout.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::TaskError;
use crate::steps::Steps;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const NATIVE: &str = "native-static-libs: ";

pub(super) struct Prefix {
    folder: PathBuf,
    shared: PathBuf,
    /// Libraries that the static library needs, for example `-lm`.
    native: String,
}

impl Prefix {
    /// Installs both libraries, the header, a file for pkg-config and two for `CMake`.
    ///
    /// The soname ends with the ABI version.
    pub(super) fn install(steps: &mut Steps, folder: PathBuf) -> Result<Self, TaskError> {
        if cfg!(windows) {
            let words = "there is no prefix on Windows: cargo rustc --release -p lodger-c --lib --crate-type \
                         cdylib,staticlib makes lodger.dll, \
                         lodger.dll.lib and lodger.lib, which go with bindings/c/include/lodger.h";
            return Err(TaskError::Invalid(words.to_owned()));
        }
        let header = read(&steps.root().join("bindings/c/include/lodger.h"))?;
        let abi = abi_version(&header)?;
        let (name, link) = shared_name(abi);
        let soname = if cfg!(target_os = "macos") {
            format!("-Wl,-install_name,@rpath/{name}")
        } else {
            format!("-Wl,-soname,{name}")
        };
        let native = build(steps, &soname)?;
        let built = steps.target_folder()?.join("release");
        let prefix = Self { shared: folder.join("lib").join(&name), folder, native };
        prefix
            .fill(&built, &header, [&name, link])
            .map_err(|(path, error)| TaskError::file(&path, &error))?;
        eprintln!("lodger {VERSION} (ABI {abi}) is in {}", prefix.folder.display());
        Ok(prefix)
    }

    fn fill(
        &self,
        built: &Path,
        header: &str,
        [name, link]: [&str; 2],
    ) -> Result<(), (PathBuf, std::io::Error)> {
        let (include, lib) = (self.folder.join("include"), self.folder.join("lib"));
        let (pkgconfig, cmake) = (lib.join("pkgconfig"), lib.join("cmake/lodger"));
        for folder in [&include, &pkgconfig, &cmake] {
            fs::create_dir_all(folder).map_err(|error| (folder.clone(), error))?;
        }
        for (from, to) in [(link, name), ("liblodger.a", "liblodger.a")] {
            let to = lib.join(to);
            fs::copy(built.join(from), &to).map_err(|error| (to, error))?;
        }
        let short = lib.join(link);
        let _ = fs::remove_file(&short);
        #[cfg(unix)]
        std::os::unix::fs::symlink(name, &short).map_err(|error| (short, error))?;
        for (path, text) in [
            (include.join("lodger.h"), header.to_owned()),
            (pkgconfig.join("lodger.pc"), self.pkgconfig()),
            (cmake.join("lodger-config.cmake"), self.cmake(name)),
            (cmake.join("lodger-config-version.cmake"), CMAKE_VERSION.replace('@', VERSION)),
        ] {
            fs::write(&path, text).map_err(|error| (path, error))?;
        }
        Ok(())
    }

    fn pkgconfig(&self) -> String {
        format!(
            "prefix=${{pcfiledir}}/../..\nincludedir=${{prefix}}/include\nlibdir=${{prefix}}/lib\n\n\
             Name: lodger\nDescription: Levels of detail within a budget\nVersion: {VERSION}\n\
             Cflags: -I${{includedir}}\nLibs: -L${{libdir}} -llodger\nLibs.private: {}\n",
            self.native
        )
    }

    fn cmake(&self, name: &str) -> String {
        let native = self.native.replace(' ', ";");
        CMAKE.replace("@NAME@", name).replace("@NATIVE@", &native)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn shared(&self) -> &Path {
        &self.shared
    }

    pub(super) fn native(&self) -> &str {
        &self.native
    }
}

fn build(steps: &mut Steps, soname: &str) -> Result<String, TaskError> {
    let command = steps.cargo(&format!(
        "rustc --release --locked --package lodger-c --lib --crate-type cdylib,staticlib -- \
         --print native-static-libs -C link-arg={soname}"
    ));
    let root = steps.root().to_owned();
    steps.work("build liblodger", || {
        eprintln!("{command}");
        let output = command.process(&root).output();
        let output = output.map_err(|error| TaskError::Start(command.to_string(), error))?;
        let said = String::from_utf8_lossy(&output.stderr);
        let native =
            said.lines().find_map(|line| line.split_once(NATIVE)).map(|(_, libraries)| libraries);
        match native {
            Some(native) if output.status.success() => Ok(native.trim().to_owned()),
            _ => Err(TaskError::Invalid(format!("liblodger was not built\n{said}"))),
        }
    })
}

fn read(path: &Path) -> Result<String, TaskError> {
    fs::read_to_string(path).map_err(|error| TaskError::file(path, &error))
}

fn abi_version(header: &str) -> Result<u32, TaskError> {
    let line = header.lines().find_map(|line| line.strip_prefix("#define LODGER_ABI_VERSION "));
    let number = line.and_then(|number| number.trim_end_matches('u').parse().ok());
    number.ok_or_else(|| TaskError::Invalid("lodger.h tells no ABI version".to_owned()))
}

/// The file name and the link name of the shared library.
fn shared_name(abi: u32) -> (String, &'static str) {
    if cfg!(target_os = "macos") {
        (format!("liblodger.{abi}.dylib"), "liblodger.dylib")
    } else {
        (format!("liblodger.so.{abi}"), "liblodger.so")
    }
}

const CMAKE: &str = r#"# lodger::lodger is the shared library, lodger::lodger-static the static one.
get_filename_component(_lodger_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET lodger::lodger)
  add_library(lodger::lodger SHARED IMPORTED)
  set_target_properties(lodger::lodger PROPERTIES
    IMPORTED_LOCATION "${_lodger_prefix}/lib/@NAME@"
    IMPORTED_SONAME "@NAME@"
    INTERFACE_INCLUDE_DIRECTORIES "${_lodger_prefix}/include")
  add_library(lodger::lodger-static STATIC IMPORTED)
  set_target_properties(lodger::lodger-static PROPERTIES
    IMPORTED_LOCATION "${_lodger_prefix}/lib/liblodger.a"
    INTERFACE_LINK_LIBRARIES "@NATIVE@"
    INTERFACE_INCLUDE_DIRECTORIES "${_lodger_prefix}/include")
endif()
unset(_lodger_prefix)
"#;

const CMAKE_VERSION: &str = r#"# Before 1.0 another minor version is another lodger.
set(PACKAGE_VERSION "@")
string(REGEX MATCH "^(0\\.)?[0-9]+" _lodger_has "${PACKAGE_VERSION}")
string(REGEX MATCH "^(0\\.)?[0-9]+" _lodger_wanted "${PACKAGE_FIND_VERSION}")
if(_lodger_has STREQUAL _lodger_wanted AND NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
if(NOT PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
"#;
