//! Which table a file is.

use crate::error::{Field, Problem};
use game::{Endgame, Metric};
use std::path::{Path, PathBuf};

/// Which table a file is: what its header says, and where in a library it lies.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Description {
    /// The game's name.
    pub game: String,
    /// The rules among those of the game.
    pub rules: String,
    /// The slice of its positions.
    pub slice: String,
    /// What is stored for each index.
    pub metric: Metric,
    /// The numbering of the positions.
    pub index: String,
    /// How many indices there are.
    pub entries: u64,
}

impl Description {
    /// The file in a library: `<root>/<game>/<rules>/<slice>.<metric>.est`.
    pub fn path(&self, root: &Path) -> PathBuf {
        root.join(file_name(&self.game, &self.rules, &self.slice, self.metric))
    }

    /// The texts of the header but the metric, in the order of the file.
    pub(crate) fn names(&self) -> [(Field, &str); 4] {
        [
            (Field::Game, &self.game),
            (Field::Rules, &self.rules),
            (Field::Slice, &self.slice),
            (Field::Index, &self.index),
        ]
    }

    /// Names end up in paths and in sentences: they are short, printable, and lead nowhere else.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        match self.names().into_iter().find(|(_, name)| !is_name(name)) {
            Some((field, _)) => Err(Problem::Name { field }),
            None => Ok(()),
        }
    }
}

/// Which table belongs to a slice of a game.
pub fn describe<G: Endgame>(game: &G, slice: G::Slice, metric: Metric) -> Description {
    let numbering = game.numbering(slice, metric);
    Description {
        game: G::INFO.name.to_owned(),
        rules: game.table_rules_id(),
        slice: slice.to_string(),
        metric,
        index: numbering.name.to_owned(),
        entries: numbering.entries,
    }
}

/// The name of a table in a library.
pub(crate) fn file_name(game: &str, rules: &str, slice: &str, metric: Metric) -> String {
    format!("{game}/{rules}/{slice}.{}.{EXTENSION}", metric.name())
}

/// How the names of table files end.
pub(crate) const EXTENSION: &str = "est";

/// A file name may have 255 bytes; this leaves room for the endings.
const LONGEST_NAME: usize = 200;

pub(crate) fn is_name(name: &str) -> bool {
    let plain = |c: char| !c.is_control() && !matches!(c, '/' | '\\');
    (1..=LONGEST_NAME).contains(&name.len()) && !name.starts_with('.') && name.chars().all(plain)
}
