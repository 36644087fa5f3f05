//! USI as programs with boards speak it.

use endspiel_search::protocol::usi;

/// Everything that the program answers to a whole input.
fn answers(input: &str) -> String {
    let mut output = Vec::new();
    usi(input.as_bytes(), &mut output).expect("input and output work");
    String::from_utf8(output).expect("it is text")
}

/// A position in which Black may declare by the rule of 27 points: 30 points, ten men and the king in the camp.
const DECLARABLE: &str = "KGGSS4/+P+P+P+P+P+P3/9/9/9/9/9/9/8k b 2R2B 1";

#[test]
fn the_program_introduces_itself() {
    let text = answers("usi\nisready\nquit\n");
    assert!(text.starts_with("id name Endspiel") && text.ends_with("usiok\nreadyok\n"), "{text}");
    for option in ["USI_Hash", "USI_Ponder", "Threads", "MultiPV", "TablebasePath", "EnteringKingRule"] {
        assert!(text.contains(&format!("option name {option} type ")), "{option}");
    }
    assert!(text.contains("EnteringKingRule type combo default CSARule27 var NoEnteringKing var CSARule24"));
}

#[test]
fn a_search_tells_its_lines_and_its_best_move() {
    let text = answers("position startpos moves 7g7f 3c3d\ngo depth 5\n");
    let last = text.lines().rfind(|line| line.starts_with("info depth 5 ")).expect("there is a last depth");
    for word in ["seldepth", "multipv 1", "score cp", "nodes", "nps", "hashfull", "tbhits 0", "time", "pv"] {
        assert!(last.contains(&format!(" {word} ")), "{word}: {last}");
    }
    assert!(text.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{text}");
}

/// Mates are counted in plies: odd numbers for the side that mates, even ones for the side that is mated.
#[test]
fn mates_are_counted_in_plies() {
    let mate = answers("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\ngo depth 5\n");
    assert!(mate.contains("score mate 1 ") && mate.contains("bestmove G*5b"), "{mate}");
    let mated = answers("position sfen 3gkg3/9/4P4/9/9/9/9/9/4K4 w 2r2b2g4s4n4l17p 1\ngo depth 3\n");
    assert!(mated.contains("bestmove "), "{mated}");
    let over = answers("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1\ngo depth 6\n");
    assert_eq!(over, "bestmove resign\n");
    assert_eq!(answers("go mate 1000\n"), "checkmate notimplemented\n");
}

#[test]
fn wins_are_declared_by_the_rule() {
    let position = format!("position sfen {DECLARABLE}\ngo depth 2\n");
    assert!(answers(&position).ends_with("bestmove win\n"));
    for rule in ["NoEnteringKing", "TryRule", "CSARule24"] {
        let text = answers(&format!("setoption name EnteringKingRule value {rule}\n{position}"));
        let last = text.lines().last().expect("an answer").to_owned();
        // 30 points: enough for a draw by the rule of 24 points, which is no reason to end the game.
        assert!(last.starts_with("bestmove ") && last != "bestmove win", "{rule}: {text}");
    }
}

#[test]
fn a_lost_game_is_resigned_at_the_chosen_score() {
    let lost = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s 1\ngo depth 3\n";
    assert!(!answers(lost).ends_with("bestmove resign\n"));
    assert!(
        answers(&format!("setoption name ResignValue value 1500\n{lost}")).ends_with("bestmove resign\n")
    );
}

#[test]
fn times_are_those_of_shogi() {
    for go in [
        "go btime 0 wtime 0 byoyomi 50",
        "go btime 300 wtime 300 binc 10 winc 10",
        "go movetime 50",
        "go nodes 500",
        "go depth 2 searchmoves 2g2f",
    ] {
        let text = answers(&format!("position startpos\n{go}\n"));
        assert!(text.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{go}: {text}");
    }
}

#[test]
fn a_session_goes_on_after_a_game() {
    let text = answers(
        "usinewgame\nposition startpos\ngo infinite\ngameover draw\nusinewgame\nposition startpos moves 2g2f\n\
         go ponder btime 0 wtime 0 byoyomi 20\nponderhit\n",
    );
    let best: Vec<&str> = text.lines().filter(|line| line.starts_with("bestmove ")).collect();
    assert_eq!(best.len(), 2, "{text}");
}

#[test]
fn what_is_wrong_is_answered() {
    for (line, answer) in [
        ("castle", "info string `castle` is no command"),
        ("uci", "info string `uci` is no command"),
        ("go depth", "info string `depth` needs a number"),
        ("go slowly", "info string `go` does not know `slowly`"),
        ("setoption Hash 3", "info string `setoption` needs `name` and a name"),
        ("setoption name Hash value 3", "info string there is no option `Hash`"),
        ("setoption name USI_Hash value 0", "info string USI_Hash is a number from 1 to 1048576, not `0`"),
        ("setoption name USI_Ponder value maybe", "info string USI_Ponder is `true` or `false`, not `maybe`"),
        (
            "setoption name EnteringKingRule value Draw",
            "info string EnteringKingRule is one of NoEnteringKing, CSARule24, CSARule27, TryRule, not `Draw`",
        ),
        ("position sfen 9/9/9/9/9/9/9/9/9 b - 1", "info string "),
        ("position startpos moves 7g7e", "info string move 1: `7g7e` is not a legal move here"),
    ] {
        let text = answers(&format!("{line}\nisready\n"));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() == 2 && lines[0].starts_with(answer) && lines[1] == "readyok", "{line}: {text}");
    }
    // Neither an unreadable text nor an endless line ends the session.
    let mut output = Vec::new();
    let hostile = [&b"\xff\xfe go\n\0\n"[..], &[b'x'; 100_000], b"\nisready\n"].concat();
    usi(&hostile[..], &mut output).expect("input and output work");
    assert!(String::from_utf8_lossy(&output).ends_with("readyok\n"));
}
