//! The description that identifies a table.

use crate::error::{Field, Problem};
use game::{Endgame, Metric, Numbering};
use std::path::{Path, PathBuf};

/// The description that identifies a table. It is stored in the header, and it determines the path in a library.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Description {
    /// The name of the game.
    pub game: String,
    /// The rules of the game, of which a game can have several.
    pub rules: String,
    /// The name of the slice.
    pub slice: String,
    /// What is stored for each index.
    pub metric: Metric,
    /// The name of the numbering of the positions.
    pub index: String,
    /// The number of indices.
    pub entries: u64,
}

impl Description {
    /// The path of the file in a library: `<root>/<game>/<rules>/<slice>.<metric>.est`.
    pub fn path(&self, root: &Path) -> PathBuf {
        root.join(file_name(&self.game, &self.rules, &self.slice, self.metric))
    }

    /// The texts of the header without the metric, in the order of the file.
    pub(crate) fn names(&self) -> [(Field, &str); 4] {
        [
            (Field::Game, &self.game),
            (Field::Rules, &self.rules),
            (Field::Slice, &self.slice),
            (Field::Index, &self.index),
        ]
    }

    /// All fields of the header that identify the table, as texts.
    pub(crate) fn fields(&self) -> [(Field, String); 6] {
        let [game, rules, slice, index] = self.names().map(|(field, name)| (field, name.to_owned()));
        let metric = (Field::Metric, self.metric.name().to_owned());
        [game, rules, slice, index, metric, (Field::Entries, self.entries.to_string())]
    }

    /// The fields of the header that the path tells, as texts.
    pub(crate) fn fields_in_path(&self) -> [(Field, String); 4] {
        fields_in_path(&self.game, &self.rules, &self.slice, self.metric)
    }

    /// Checks that some fields have the expected texts.
    pub(crate) fn expect(&self, expected: &[(Field, String)]) -> Result<(), Problem> {
        let found = self.fields();
        let text = |field: Field| found.iter().find(|(of, _)| *of == field).map_or("", |(_, text)| text);
        match expected.iter().find(|(field, expected)| text(*field) != expected) {
            Some((field, expected)) => {
                let (expected, found) = (expected.clone(), text(*field).to_owned());
                Err(Problem::Mismatch { field: *field, expected, found })
            }
            None => Ok(()),
        }
    }

    /// Checks the names. They are used in paths and in messages, so they must be short and printable, and must not lead
    /// to another folder.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        match self.names().into_iter().find(|(_, name)| !is_name(name)) {
            Some((field, _)) => Err(Problem::Name { field }),
            None => Ok(()),
        }
    }
}

/// The description of the whole table of a slice of a game.
pub fn describe<G: Endgame>(game: &G, slice: G::Slice, metric: Metric) -> Description {
    described_with(game, slice, metric, game.numbering(slice, metric))
}

/// The description of the small table of a slice of a game. It never has the short numbering, because its outcomes belong to distances.
pub fn describe_small<G: Endgame>(game: &G, slice: G::Slice, metric: Metric) -> Description {
    described_with(game, slice, metric, Numbering { name: G::INDEX, entries: game.size(slice) })
}

fn described_with<G: Endgame>(
    game: &G,
    slice: G::Slice,
    metric: Metric,
    numbering: Numbering,
) -> Description {
    Description {
        game: G::INFO.name.to_owned(),
        rules: game.table_rules_id(),
        slice: slice.to_string(),
        metric,
        index: numbering.name.to_owned(),
        entries: numbering.entries,
    }
}

/// The fields of the header that the path of a table tells, as texts.
pub(crate) fn fields_in_path(game: &str, rules: &str, slice: &str, metric: Metric) -> [(Field, String); 4] {
    let fields = [(Field::Game, game), (Field::Rules, rules), (Field::Slice, slice)];
    let [game, rules, slice] = fields.map(|(field, text)| (field, text.to_owned()));
    [game, rules, slice, (Field::Metric, metric.name().to_owned())]
}

/// The path of a table relative to the root of a library.
pub(crate) fn file_name(game: &str, rules: &str, slice: &str, metric: Metric) -> String {
    format!("{game}/{rules}/{slice}.{}.{EXTENSION}", metric.name())
}

/// Returns whether a text is the path of a table relative to the root of a library. It leads to no other folder.
pub(crate) fn is_file_name(name: &str) -> bool {
    let mut parts = name.split('/');
    let (Some(game), Some(rules), Some(file), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let file = file.strip_suffix(EXTENSION).and_then(|file| file.strip_suffix('.'));
    file.and_then(|file| file.rsplit_once('.')).is_some_and(|(slice, metric)| {
        [game, rules, slice].into_iter().all(is_name)
            && Metric::ALL.iter().any(|known| known.name() == metric)
    })
}

/// The file name extension of tables.
pub(crate) const EXTENSION: &str = "est";

/// The length of the longest name in bytes. A file name can have 255 bytes; the rest is for the extensions.
const LONGEST_NAME: usize = 200;

pub(crate) fn is_name(name: &str) -> bool {
    let plain = |c: char| !c.is_control() && !matches!(c, '/' | '\\');
    (1..=LONGEST_NAME).contains(&name.len()) && !name.starts_with('.') && name.chars().all(plain)
}
