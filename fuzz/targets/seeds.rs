//! Writes the seeds of all targets: `seeds FOLDER` makes a folder for each, and prints their names.

use std::path::PathBuf;

use gridmill_fuzz::Target;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "seeds".into()));
    for target in Target::all() {
        let folder = folder.join(target.name());
        std::fs::create_dir_all(&folder)?;
        for (name, seeds) in [("seed", target.seeds()), ("made", target.more_seeds())] {
            for (number, seed) in seeds.into_iter().enumerate() {
                std::fs::write(folder.join(format!("{name}-{number}")), seed)?;
            }
        }
        println!("{}", target.name());
    }
    Ok(())
}
