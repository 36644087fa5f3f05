//! What a word may have been meant to be.

/// Returns the name that was probably meant by a word: the nearest one, if few letters differ. Upper and lower case are the same.
///
/// ```
/// use endspiel_game::meant;
///
/// assert_eq!(meant("mvoes", ["moves", "games"]), Some("moves"));
/// assert_eq!(meant("backgamon", ["chess", "backgammon"]), Some("backgammon"));
/// assert_eq!(meant("KQ", ["KQvK", "KRvK"]), None);
/// assert_eq!(meant("go", ["no", "to"]), None, "of a short word too little is left");
/// ```
pub fn meant<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nobody mistypes a long text into a name.
    const LONGEST: usize = 64;
    if word.len() > LONGEST {
        return None;
    }
    let most = word.chars().count() / 3;
    let near = names.into_iter().map(|name| (distance(word, name), name));
    near.filter(|(distance, _)| (1..=most.min(2)).contains(distance))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// The number of letters that must be added, removed, replaced, or exchanged with their neighbours.
fn distance(one: &str, other: &str) -> usize {
    let [one, other] = [one, other].map(|text| text.to_lowercase().chars().collect::<Vec<_>>());
    // Rows of the table of distances between the beginnings of both words.
    let mut rows = vec![(0..=other.len()).collect::<Vec<_>>()];
    for (i, letter) in one.iter().enumerate() {
        let above = &rows[i];
        let mut row = vec![i + 1];
        for (j, wanted) in other.iter().enumerate() {
            let replaced = above[j] + usize::from(letter != wanted);
            let mut least = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == other[j - 1] && one[i - 1] == *wanted {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

/// The end of a message about a wrong name: what was probably meant, or all names. `noun` is the plural of what is named.
///
/// ```
/// use endspiel_game::meant_or_known;
///
/// assert_eq!(meant_or_known("ches", "games", ["chess", "shogi"]), "; did you mean `chess`?");
/// assert_eq!(meant_or_known("go", "games", ["chess", "shogi"]), "; the games are chess, shogi");
/// ```
pub fn meant_or_known<'a>(
    word: &str,
    noun: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    match meant(word, names.clone()) {
        Some(name) => format!("; did you mean `{name}`?"),
        None => format!("; the {noun} are {}", names.into_iter().collect::<Vec<_>>().join(", ")),
    }
}
