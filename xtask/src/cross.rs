//! Builds for other systems: the browser, Windows, other processors.
//!
//! With rustup a target is one command. Where rustup has no network, Debian's newest compiler does:
//! its packages are unpacked below `target/cross` (nothing is installed), and cargo builds the
//! standard library from the source that comes with it.
//!
//! ```text
//! target/cross/debian     the unpacked packages
//! target/cross/bin        rustc and rustdoc with the paths of their libraries
//! target/cross/TARGET     what was built for it
//! ```

use std::ffi::OsString;
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{cargo_command, programs, root, run};

/// Debian's compiler, the standard library as source, and the library they need.
const PACKAGES: [&str; 4] = ["rustc-web", "libstd-rust-web", "libllvm", "rust-web-src"];

/// A way to build for one target.
pub(crate) struct Cross {
    target: String,
    /// Debian's compiler; none where rustup has the target.
    debian: Option<PathBuf>,
}

impl Cross {
    /// How to build for a target here; says what is missing where there is no way.
    pub(crate) fn find(target: &str) -> Result<Option<Self>> {
        if rustup_has(target) || rustup_adds(target) {
            return Ok(Some(Self { target: target.to_owned(), debian: None }));
        }
        let home = root().join("target/cross");
        if !home.join("bin/rustc").is_file() {
            if !has("apt-get") {
                eprintln!("── skipped: no way to build for {target}: rustup target add {target}");
                return Ok(None);
            }
            unpack(&home).context("Debian's compiler cannot be unpacked")?;
        }
        Ok(Some(Self { target: target.to_owned(), debian: Some(home.join("bin")) }))
    }

    /// Builds with cargo: `arguments` are those behind `cargo build`, without the target.
    pub(crate) fn build(&self, arguments: &[&str], settings: &[(&str, &str)]) -> Result<()> {
        let std = if self.debian.is_some() { self.std_from_source() } else { Vec::new() };
        run(self.command(arguments, settings)?.args(std))
    }

    /// The same with a standard library built for few bytes: a panic ends the program at once, without the texts
    /// that nobody reads there, and with features of the library such as `optimize_for_size`. Needs the library's
    /// source; where rustup has none, larger modules are made.
    pub(crate) fn build_small(
        &self,
        arguments: &[&str],
        settings: &[(&str, &str)],
        features: &str,
    ) -> Result<()> {
        let source = ["component", "add", "rust-src"];
        if self.has_rustup() && output(Command::new("rustup").args(source)).is_none() {
            eprintln!("── larger than it must be: rustup component add rust-src");
            return self.build(arguments, settings);
        }
        let mut command = self.command(arguments, settings)?;
        let flags = format!("CARGO_TARGET_{}_RUSTFLAGS", self.variable());
        let given = settings.iter().find(|(name, _)| *name == flags).map_or("", |(_, flags)| flags);
        command.env(flags, format!("{given} -Zunstable-options -Cpanic=immediate-abort"));
        command.args(self.std_from_source()).arg(format!("-Zbuild-std-features={features}"));
        run(command.env("RUSTC_BOOTSTRAP", "1"))
    }

    fn command(&self, arguments: &[&str], settings: &[(&str, &str)]) -> Result<Command> {
        let mut command = cargo_command();
        command.arg("build").args(arguments).args(["--target", &self.target]);
        command.env("CARGO_TARGET_DIR", self.home()).envs(settings.iter().copied());
        if let Some(bin) = &self.debian {
            command.env("RUSTC_BOOTSTRAP", "1");
            command.env("RUSTC", bin.join("rustc")).env("RUSTDOC", bin.join("rustdoc"));
            if self.target.starts_with("wasm") {
                command.env(format!("CARGO_TARGET_{}_LINKER", self.variable()), rust_lld()?);
            }
        }
        Ok(command)
    }

    /// The target as cargo writes it in the names of its variables.
    fn variable(&self) -> String {
        self.target.to_uppercase().replace('-', "_")
    }

    /// What has cargo build the standard library.
    fn std_from_source(&self) -> Vec<&'static str> {
        if self.target.starts_with("wasm") {
            vec!["-Zbuild-std=std,panic_abort"]
        } else {
            vec!["-Zbuild-std=std,panic_unwind"]
        }
    }

    /// `cargo SUBCOMMAND` for the target, linked by the linker that comes with Rust: for what needs no C.
    /// rustup must have the target.
    pub(crate) fn pure(&self, subcommand: &str, arguments: &[&str]) -> Result<Command> {
        let variable = |end| format!("CARGO_TARGET_{}_{end}", self.variable());
        let mut command = cargo_command();
        command.arg(subcommand).args(["--target", &self.target]).args(arguments);
        command.env("CARGO_TARGET_DIR", self.home()).env(variable("LINKER"), rust_lld()?);
        command.env(variable("RUNNER"), format!("qemu-{}", processor(&self.target)));
        Ok(command)
    }

    /// Whether rustup has the target.
    pub(crate) const fn has_rustup(&self) -> bool {
        self.debian.is_none()
    }

    /// `zigbuild` or `check` with zig as compiler and linker of C, which brings the C library of every
    /// Linux and the headers of macOS; rustup must have the target.
    pub(crate) fn zig(&self, tools: &Tools, subcommand: &str, arguments: &[&str]) -> Result<()> {
        if !self.has_rustup() {
            bail!("needs rustup target add {}", self.target);
        }
        let mut command = Command::new(tools.0.join("bin/cargo-zigbuild"));
        command.arg(subcommand).args(arguments).args(["--target", &self.target]);
        command.env("CARGO_TARGET_DIR", self.home()).env("PATH", tools.path()?);
        run(command.current_dir(root()))
    }

    /// Where what a profile makes lies.
    pub(crate) fn made(&self, profile: &str) -> PathBuf {
        self.home().join(&self.target).join(profile)
    }

    /// What is built for the target lies below it.
    pub(crate) fn home(&self) -> PathBuf {
        root().join("target/cross").join(&self.target)
    }
}

/// zig, cargo-zigbuild and maturin, as Python packages below `target/cross`.
pub(crate) struct Tools(PathBuf);

impl Tools {
    pub(crate) fn get() -> Result<Self> {
        let home = root().join("target/cross/tools");
        if !home.join("bin/cargo-zigbuild").is_file() {
            run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home))?;
            run(Command::new(home.join("bin/python"))
                .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
                .args(["ziglang", "cargo-zigbuild", "maturin>=1.9.4,<2"]))?;
        }
        Ok(Self(home))
    }

    /// The search path with the tools first.
    fn path(&self) -> Result<OsString> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = iter::once(self.0.join("bin")).chain(std::env::split_paths(&path));
        Ok(std::env::join_paths(paths)?)
    }

    /// maturin for the Python package.
    pub(crate) fn maturin(&self) -> Result<Command> {
        let mut command = Command::new(self.0.join("bin/maturin"));
        command.env("PATH", self.path()?).env("VIRTUAL_ENV", &self.0).current_dir(root());
        Ok(command)
    }
}

/// The processor of a target.
fn processor(target: &str) -> &str {
    target.split('-').next().unwrap_or(target)
}

fn rustup_has(target: &str) -> bool {
    let libraries = ["--print", "target-libdir", "--target", target];
    output(Command::new("rustc").args(libraries))
        .is_some_and(|folder| Path::new(folder.trim()).is_dir())
}

fn rustup_adds(target: &str) -> bool {
    has("rustup") && output(Command::new("rustup").args(["target", "add", target])).is_some()
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// What a command prints, if it succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The linker that comes with the toolchain in use.
fn rust_lld() -> Result<PathBuf> {
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"])).context("rustc")?;
    let host = output(Command::new("rustc").arg("-vV")).context("rustc")?;
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc's host")?;
    Ok(Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin/rust-lld"))
}

/// Downloads Debian's packages, unpacks them and writes the two wrappers.
fn unpack(home: &Path) -> Result<()> {
    let packages = home.join("packages");
    let debian = home.join("debian");
    fs::create_dir_all(&packages)?;
    let asked = "depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
                 --no-replaces --no-enhances rustc-web rust-web-src";
    let ask = || output(Command::new("apt-cache").args(asked.split_whitespace()));
    if ask().is_none() {
        run(Command::new("apt-get").args(["update", "-qq"]))?;
    }
    let names = ask().context("Debian's packages have no rustc-web")?;
    let names = names.lines().filter(|name| PACKAGES.iter().any(|wanted| name.starts_with(wanted)));
    run(Command::new("apt-get").arg("download").args(names).current_dir(&packages))?;
    for package in fs::read_dir(&packages)? {
        run(Command::new("dpkg").arg("-x").arg(package?.path()).arg(&debian))?;
    }
    fs::remove_dir_all(&packages)?;
    let library = fs::read_dir(debian.join("usr/lib"))?.flatten().map(|entry| entry.path());
    let llvm = library.filter(|path| path.join("lib").is_dir()).find(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("llvm"))
    });
    let llvm = llvm.map(|path| format!(":{}", path.join("lib").display())).unwrap_or_default();
    let usr = debian.join("usr");
    for program in ["rustdoc", "rustc"] {
        wrapper(&home.join("bin").join(program), &usr, &llvm, program)?;
    }
    Ok(())
}

/// A script that starts a program of Debian's with its libraries.
fn wrapper(file: &Path, usr: &Path, llvm: &str, program: &str) -> Result<()> {
    let usr = usr.display();
    let paths = format!("{usr}/lib/x86_64-linux-gnu{llvm}");
    programs::script(file, &format!("LD_LIBRARY_PATH={paths} exec {usr}/bin/{program} \"$@\""))
}
