//! The laws of setups.

use super::moves_agree;
use crate::{Fault, Position, Rng, Setup};
use std::fmt::Debug;

/// Checks that a setup is a position exactly if it has no fault, that accepting ignores the playable faults and no others, and that
/// the error names every fault. A position with accepted faults is played at random: its moves keep their laws.
pub fn of_setup<S: Setup>(setup: &S, rng: &mut Rng)
where
    S::Position: Position,
    S::Fault: Fault + Clone + PartialEq + Debug,
{
    const LONGEST: u32 = 30;
    let faults = setup.faults();
    match setup.position() {
        Ok(_) => assert!(faults.is_empty(), "{faults:?}"),
        Err(refused) => {
            assert_eq!(refused.to_vec(), faults);
            let text = refused.to_string();
            for fault in &faults {
                assert!(text.contains(&fault.to_string()), "{text} does not name {fault:?}");
                assert_eq!(faults.iter().filter(|other| *other == fault).count(), 1, "{text}");
            }
        }
    }
    let fatal: Vec<S::Fault> = faults.iter().filter(|fault| !fault.is_playable()).cloned().collect();
    match setup.position_accepting(|_| true) {
        Ok(position) => {
            assert_eq!(fatal, [], "accepted, but not playable");
            for plies in [0, 1, LONGEST] {
                moves_agree(&crate::playout(&position, plies, rng).0);
            }
        }
        Err(refused) => assert_eq!(refused.to_vec(), fatal),
    }
    for fault in faults.iter().filter(|fault| fault.is_playable()) {
        let rest = setup
            .position_accepting(|accepted| accepted == fault)
            .err()
            .map_or(vec![], |refused| refused.to_vec());
        assert!(!rest.contains(fault) && rest.len() + 1 == faults.len(), "{fault:?}: {rest:?}");
    }
}
