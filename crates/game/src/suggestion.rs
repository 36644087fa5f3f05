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
    let (most, word) = (word.chars().count() / 3, word.to_lowercase());
    let near = names.into_iter().map(|name| (strsim::damerau_levenshtein(&word, &name.to_lowercase()), name));
    near.filter(|(distance, _)| (1..=most.min(2)).contains(distance))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
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
