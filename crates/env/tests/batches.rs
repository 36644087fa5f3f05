//! Many games at once are the same games, on any number of threads.

mod common;

use backgammon::{Backgammon, Dice, Score, Stakes, Start};
use common::any_of;
use endspiel_env::backgammon::{
    Action, ActionError, Batch, BatchError, Buffers, Observation, State, slot_rng,
};
use game::{Rng, Side};

/// What a batch writes.
#[derive(Clone, PartialEq, Debug)]
struct Arrays {
    observations: Vec<f32>,
    masks: Vec<u8>,
    rewards: Vec<f32>,
    terminated: Vec<u8>,
    players: Vec<u8>,
}

impl Arrays {
    fn new(batch: &Batch) -> Self {
        let count = batch.count();
        Self {
            observations: vec![f32::NAN; count * batch.observation().len()],
            masks: vec![9; count * Action::COUNT],
            rewards: vec![f32::NAN; count * 2],
            terminated: vec![9; count],
            players: vec![9; count],
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            players: &mut self.players,
        }
    }

    /// A legal action for every game.
    fn choose(&self, rng: &mut Rng) -> Vec<i64> {
        let legal =
            |mask: &[u8]| Action::all().filter(|action| mask[action.index()] == 1).collect::<Vec<_>>();
        self.masks.chunks_exact(Action::COUNT).map(|mask| any_of(&legal(mask), rng).into()).collect()
    }
}

fn kinds() -> Vec<Backgammon> {
    let with = |change: &dyn Fn(&mut Backgammon)| {
        let mut game = Backgammon::default();
        change(&mut game);
        game
    };
    vec![
        with(&|_| ()),
        with(&|game| game.start = Start::Short),
        with(&|game| game.terms.dice = Dice::Doubles),
        with(&|game| game.terms.with_cube = true),
        with(&|game| {
            game.terms.with_cube = true;
            game.terms.stakes = Stakes::Match(Score::start(3).expect("a match"));
        }),
    ]
}

const COUNT: usize = 150;

fn run(game: Backgammon, threads: usize, steps: usize) -> Vec<Arrays> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        let kind: Observation = "minimal_hybrid".parse().expect("a name");
        let mut batch = Batch::new(game, COUNT, 42, kind);
        let (mut arrays, mut rng) = (Arrays::new(&batch), Rng::new(1));
        batch.observe(arrays.buffers()).expect("as long as asked");
        let mut all = vec![arrays.clone()];
        for _ in 0..steps {
            let actions = arrays.choose(&mut rng);
            batch.step(&actions, arrays.buffers()).expect("legal");
            all.push(arrays.clone());
        }
        all
    })
}

#[test]
fn threads_do_not_matter() {
    for game in kinds() {
        let one = run(game, 1, 60);
        for threads in [2, 3, 8] {
            assert!(run(game, threads, 60) == one, "{threads} threads: {game:?}");
        }
    }
}

#[test]
fn a_batch_is_its_games() {
    for game in kinds() {
        let kind = Observation::FULL;
        let count = 70;
        let mut batch = Batch::new(game, count, 9, kind);
        let mut dice: Vec<Rng> = (0..count).map(|slot| slot_rng(9, slot)).collect();
        let mut states: Vec<State> = dice.iter_mut().map(|rng| State::reset(&game, None, rng)).collect();
        let (mut arrays, mut rng) = (Arrays::new(&batch), Rng::new(2));
        batch.observe(arrays.buffers()).expect("as long as asked");
        let (mut ended, mut matches) = (0, 0);
        for step in 0..1_500 {
            let actions = arrays.choose(&mut rng);
            batch.step(&actions, arrays.buffers()).expect("legal");
            for slot in 0..count {
                let (state, dice) = (&mut states[slot], &mut dice[slot]);
                state.step(Action::new(actions[slot]).expect("a number"), dice).expect("legal");
                let (rewards, is_over) = (state.rewards(), state.is_terminal());
                let mut is_match_over = false;
                if is_over {
                    let first = Side::ALL[dice.below(2) as usize];
                    *state = match state.next_game(&game, first) {
                        Some(mut next) => {
                            next.settle(dice);
                            next
                        }
                        None => {
                            is_match_over = true;
                            State::reset(&game, None, dice)
                        }
                    };
                }
                ended += u32::from(is_over);
                matches += u32::from(is_match_over);
                assert_eq!(batch.state(slot), Some(*state));
                assert_eq!(batch.match_over()[slot], u8::from(is_match_over));
                assert_eq!(arrays.rewards[2 * slot..2 * slot + 2], [rewards.first, rewards.second]);
                assert_eq!(arrays.terminated[slot], u8::from(is_over));
                assert_eq!(arrays.players[slot], state.current_player() as u8);
                if step % 10 == 0 {
                    let (mut out, mut mask) = (vec![0.0; kind.len()], [0; Action::COUNT]);
                    kind.write(state, &mut out).expect("as long as it says");
                    state.legal_mask(&mut mask).expect("680 entries");
                    assert_eq!(arrays.observations[slot * kind.len()..(slot + 1) * kind.len()], out);
                    assert_eq!(arrays.masks[slot * Action::COUNT..(slot + 1) * Action::COUNT], mask);
                }
            }
        }
        assert!(ended > 500, "{ended}");
        assert_eq!(matches > 0, !game.terms.stakes.is_money());
    }
}

#[test]
fn one_bad_action_changes_nothing() {
    let mut batch = Batch::new(Backgammon::default(), 200, 3, Observation::FULL);
    let (mut arrays, mut rng) = (Arrays::new(&batch), Rng::new(4));
    batch.observe(arrays.buffers()).expect("as long as asked");
    let good = arrays.choose(&mut rng);
    let before: Vec<_> = (0..200).map(|slot| batch.state(slot)).collect();
    let written = arrays.clone();
    let illegal = ActionError::Illegal { action: Action::DROP };
    for (number, source) in
        [(680, illegal), (0, ActionError::Number { number: 0 }), (-7, ActionError::Number { number: -7 })]
    {
        let mut actions = good.clone();
        actions[177] = number;
        actions[131] = number;
        let result = batch.step(&actions, arrays.buffers());
        assert_eq!(result, Err(BatchError::Action { slot: 131, source }));
    }
    assert!(matches!(batch.step(&good[1..], arrays.buffers()), Err(BatchError::Buffer(_))));
    let mut short = arrays.clone();
    short.masks.pop();
    assert!(matches!(batch.step(&good, short.buffers()), Err(BatchError::Buffer(_))));
    assert_eq!((0..200).map(|slot| batch.state(slot)).collect::<Vec<_>>(), before);
    assert_eq!((batch.state(200), arrays), (None, written));
    let mut fresh = Arrays::new(&batch);
    batch.step(&good, fresh.buffers()).expect("legal");
}

#[test]
fn an_empty_batch_steps() {
    let mut batch = Batch::new(Backgammon::default(), 0, 3, Observation::FULL);
    let mut arrays = Arrays::new(&batch);
    batch.step::<i64>(&[], arrays.buffers()).expect("nothing to do");
}
