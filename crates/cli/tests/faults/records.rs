//! Faults while manifests and the records of verifications are written.

use crate::common::{endspiel, solve_these, succeed};
use crate::disturbed::{Disturbed, Duty, Fault, Shim};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn write_manifest(folder: &Path) -> Command {
    let mut command = endspiel("tables --manifest", folder);
    command.arg("--tables").arg(folder).arg("--out").arg(folder.join("manifest"));
    command
}

#[test]
fn faults_of_a_manifest() {
    let prepare = |folder: &Path| succeed(solve_these("onitama 2v1", folder));
    Disturbed::new("the first manifest", Duty::Files, prepare, write_manifest).disturb_each_in_every_way();
    // The old one stays until the new one is whole.
    let prepare = |folder: &Path| {
        succeed(solve_these("onitama 1v1", folder));
        succeed(write_manifest(folder));
        succeed(solve_these("onitama 2v1", folder));
    };
    Disturbed::new("a new manifest", Duty::Files, prepare, write_manifest).disturb_each_in_every_way();
}

fn verify(depth: &str, folder: &Path) -> Command {
    let mut command = endspiel(&format!("verify onitama {depth} --threads 1"), folder);
    command.arg("--tables").arg(folder);
    command
}

#[test]
fn faults_of_the_records_of_a_verification() {
    let checksums = |folder: &Path| verify("--depth checksums", folder);
    let sample = |folder: &Path| verify("--sample 10", folder);
    let prepare = |folder: &Path| succeed(solve_these("onitama 2v1", folder));
    Disturbed::new("the first records", Duty::FilesOrWord, prepare, checksums).disturb_each_in_every_way();
    // The records of a shallow verification stay until those of a deeper one are whole.
    let prepare = |folder: &Path| {
        succeed(solve_these("onitama 2v1", folder));
        succeed(checksums(folder));
    };
    Disturbed::new("deeper records", Duty::FilesOrWord, prepare, sample).disturb_each_in_every_way();
}

/// A table that is wrong has lost its record. If the record cannot be removed, it says that the table is right.
#[test]
fn a_record_that_cannot_be_removed_is_told() {
    let (folder, shim) = (tempfile::tempdir().expect("a folder"), Shim::new());
    let folder = folder.path();
    succeed(solve_these("onitama 1v1", folder));
    succeed(verify("--depth checksums", folder));
    let path =
        |end: &str| -> PathBuf { folder.join(format!("onitama/boar-crab-elephant-horse-ox/1v1.dtm.{end}")) };
    let good = fs::read(path("est")).expect("a table");
    // A block, and the header: such a table cannot even be opened.
    for at in [good.len() / 2, 20] {
        let mut bad = good.clone();
        bad[at] ^= 1;
        fs::write(path("est"), bad).expect("a table");
        for words in ["--depth checksums", "--depth checksums --json"] {
            let mut command = verify(words, folder);
            shim.load(&mut command, folder, Some((Fault::Io, 1)));
            let output = command.output().expect("it starts");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            assert!(path("verified").exists());
            assert!(said.contains(path("verified").to_str().expect("text")), "{words}, byte {at}: {said}");
        }
    }
    let output = verify("--depth checksums", folder).output().expect("it starts");
    assert!(output.status.code() == Some(1) && output.stderr.is_empty(), "{output:?}");
    assert!(!path("verified").exists());
}
