//! Faults while tables are solved.

use crate::common::{solve_these, succeed};
use crate::disturbed::{Disturbed, Duty};

/// `before` are the arguments of a `solve` that was finished before.
fn solving<'a>(what: &'a str, before: Option<&str>) -> Disturbed<'a> {
    Disturbed::new(
        what,
        Duty::Files,
        |folder| {
            if let Some(before) = before {
                succeed(solve_these(before, folder));
            }
        },
        move |folder| {
            // One thread, so that the operations have the same order in each run.
            let mut command = solve_these(what, folder);
            command.args(["--threads", "1"]);
            command
        },
    )
}

#[test]
fn faults_of_the_generic_solver() {
    solving("onitama 1v1 --kernel generic", None).disturb_each();
    solving("cotulenh CvC", None).disturb_each();
}

#[test]
fn faults_of_the_solver_of_onitama() {
    solving("onitama 2v1", Some("onitama 1v1")).disturb_each();
    solving("onitama 2v1 --metric wdl", None).disturb_each_in_every_way();
}

/// Whole tables are replaced by small ones, and no fault loses either.
#[test]
fn faults_of_packing() {
    solving("onitama 1v1 --pack", Some("onitama 1v1")).disturb_each_in_every_way();
}

#[test]
fn faults_of_the_solver_of_chess() {
    // There are many checkpoints with the same operations, so some of them suffice. The full run disturbs all.
    solving("chess KQvK", None).disturb_each_with_step(5);
}

#[test]
fn faults_of_the_solver_of_backgammon() {
    solving("backgammon 6x3", None).disturb_each();
    solving("backgammon hyper1", None).disturb_each_with_step(3);
    solving("backgammon os2x15", None).disturb_each();
}

#[test]
#[ignore = "minutes: part of the full run"]
fn all_faults_of_the_generic_solver() {
    solving("cotulenh CvC", None).disturb_each_in_every_way();
    solving("onitama 1v1 --kernel generic", None).disturb_each_in_every_way();
    solving("onitama 1v2 --kernel generic", Some("onitama 1v1")).disturb_some(10);
}

#[test]
#[ignore = "minutes: part of the full run"]
fn all_faults_of_the_solver_of_onitama() {
    solving("onitama 2v1", Some("onitama 1v1")).disturb_each_in_every_way();
    solving("onitama 3v2 --metric wdl", Some("onitama 2v2 --metric wdl")).disturb_some(10);
}

#[test]
#[ignore = "minutes: part of the full run"]
fn all_faults_of_the_solver_of_chess() {
    solving("chess KQvK", None).disturb_each_in_every_way();
    solving("chess KQvK --metric dtz", None).disturb_each_in_every_way();
    solving("chess KPvK", Some("chess KQvK KRvK KBvK KNvK")).disturb_some(10);
}

/// Rows in memory, and rows and cells in files.
#[test]
#[ignore = "minutes: part of the full run"]
fn all_faults_of_the_solver_of_shogi() {
    for what in ["shogi P", "shogi P --memory 33100K", "shogi P --metric dtz"] {
        solving(what, None).disturb_some(4);
    }
}
