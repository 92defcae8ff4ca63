//! Writes the seeds of all targets: `seeds FOLDER` makes a folder for each, and prints their names.

use std::path::PathBuf;

use gridmill_fuzz::Target;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "seeds".into()));
    for target in Target::all() {
        let folder = folder.join(target.name());
        std::fs::create_dir_all(&folder)?;
        for (number, seed) in target.seeds().into_iter().chain(target.more_seeds()).enumerate() {
            std::fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
        println!("{}", target.name());
    }
    Ok(())
}
