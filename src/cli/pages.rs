//! Pages that are generated from the table of flags: completions, manual, version.

use clap::Args;

use super::{print, whole_program};
use crate::engine::kernel;
use crate::kernels;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gridmill completions bash > /etc/bash_completion.d/gridmill
  gridmill completions fish > ~/.config/fish/completions/gridmill.fish")]
pub(super) struct Completions {
    /// The shell.
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gridmill man | man -l -
  gridmill man convert > gridmill-convert.1
  gridmill man migrate-sqlite | man -l -")]
pub(super) struct Man {
    /// The command whose page to print (default: the page of gridmill itself).
    pub(super) page: Option<String>,
}

/// `gridmill completions SHELL`.
pub(super) fn completions(flags: &Completions) -> anyhow::Result<u8> {
    let mut text = Vec::new();
    clap_complete::generate(flags.shell, &mut whole_program(), "gridmill", &mut text);
    print(&text)
}

/// `gridmill man [COMMAND]`.
pub(super) fn man(flags: &Man) -> anyhow::Result<u8> {
    // The page is the same on every machine, so it has the version without the kernels.
    let mut program = whole_program().long_version(None::<&'static str>);
    program.build();
    let page = match &flags.page {
        None => program,
        Some(name) => {
            let mut pages = Vec::new();
            named_pages(&program, "", &mut pages);
            match pages.iter().find(|(page, _)| page == name) {
                Some((_, command)) => (*command).clone().display_name(format!("gridmill-{name}")),
                None => {
                    let names: Vec<_> = pages.iter().map(|(page, _)| page.as_str()).collect();
                    anyhow::bail!("no command is named '{name}'; there are: {}", names.join(", "))
                }
            }
        }
    };
    let mut text = Vec::new();
    let source = concat!("gridmill ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(page).source(source).render(&mut text)?;
    print(&text)
}

/// Collects the pages of all commands below a command, with names such as `migrate` and `migrate-sqlite`.
fn named_pages<'c>(of: &'c clap::Command, prefix: &str, pages: &mut Vec<(String, &'c clap::Command)>) {
    for command in of.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help") {
        let name = format!("{prefix}{}", command.get_name());
        pages.push((name.clone(), command));
        named_pages(command, &format!("{name}-"), pages);
    }
}

/// Returns the version, the kernels (compiled in, usable here, chosen), and the features that not every build has.
pub(super) fn long_version() -> String {
    let features = [("databases", cfg!(feature = "databases")), ("parquet", cfg!(feature = "parquet"))];
    let built: Vec<_> = features.iter().filter(|(_, is_built)| *is_built).map(|(name, _)| *name).collect();
    let built = if built.is_empty() { "none".to_string() } else { built.join(", ") };
    let usable: Vec<_> = kernels::available().iter().map(|kernel| kernel.name).collect();
    let chosen = kernel().map_or_else(|error| format!("none: {error}"), |kernel| kernel.name.to_string());
    format!(
        "{}\nkernels compiled in: {}\nkernels this processor runs: {}\nkernel in use: {chosen}\noptional features: {built}",
        env!("CARGO_PKG_VERSION"),
        kernels::compiled().join(", "),
        usable.join(", ")
    )
}
