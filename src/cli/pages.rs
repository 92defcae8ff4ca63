//! Pages that are generated from the table of flags: completions, manual, version.

use std::io;

use clap::Args;
use roff::{Roff, roman};

use super::{help, print, whole_program};
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
    print(&manual_page(page)?)
}

/// Returns a page in ROFF, with sections for what stands below the flags in the help.
fn manual_page(command: clap::Command) -> io::Result<Vec<u8>> {
    let help = command.get_after_long_help().or(command.get_after_help()).map(ToString::to_string).unwrap_or_default();
    // What a short help leaves out, a page has.
    let command = command.mut_args(|arg| arg.hide_short_help(false));
    let (has_commands, has_version) = (command.has_subcommands(), command.get_version().is_some());
    let page = clap_mangen::Man::new(command).source(concat!("gridmill ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    if has_commands {
        page.render_subcommands_section(&mut text)?;
    }
    for (name, lines) in help::sections(&help) {
        let mut section = Roff::new();
        // Lines of examples stay as they are.
        let is_as_written = name == "EXAMPLES";
        section.control("SH", [name]);
        if is_as_written {
            section.control("nf", []);
        }
        for line in lines {
            if line.is_empty() {
                section.control("PP", [])
            } else {
                section.text([roman(line)])
            };
        }
        if is_as_written {
            section.control("fi", []);
        }
        section.to_writer(&mut text)?;
    }
    if has_version {
        page.render_version_section(&mut text)?;
    }
    Ok(text)
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
