//! Compares the reader in `tools/read_table.py` with that of this crate. It was written from docs/format.md alone, so that
//! both agree only if the page is right.

mod common;
#[path = "common/forging.rs"]
mod forging;

use common::{clustered, description, different, layout, read_all, write_entries};
use endspiel_table::{
    Backend, BlockCache, Codec, Description, Distances, Entry, Kept, NumberFormat, NumberWidth, Numbers,
    Outcomes, Payload, SmallTable, Stored, Table, TableFile, Tiles, Values, write_payload, write_small,
};
use forging::repair;
use game::{Metric, Plies, Rng};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

type Lines = Result<Vec<String>, endspiel_table::Error>;

/// A Python, which may have no package for zstd.
struct Python {
    program: String,
    has_zstd: bool,
}

impl Python {
    /// The Python of `ENDSPIEL_PYTHON`, or that of the system. `None` if there is none, unless the tests must ask all other
    /// programs.
    fn find() -> Option<Self> {
        let program = std::env::var("ENDSPIEL_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let runs =
            |line| Command::new(&program).args(["-c", line]).output().is_ok_and(|out| out.status.success());
        let has_zstd = runs("import zstandard") || runs("import compression.zstd");
        let is_there = runs("pass");
        let all = std::env::var_os("ENDSPIEL_ALL_PEERS").is_some();
        assert!(!all || (is_there && has_zstd), "there is no Python with the package zstandard");
        if !has_zstd {
            eprintln!(
                "skipped: {}",
                if is_there { "zstd, for which Python has no package" } else { "Python is not installed" }
            );
        }
        is_there.then_some(Self { program, has_zstd })
    }

    fn run(&self, arguments: impl IntoIterator<Item = impl AsRef<std::ffi::OsStr>>) -> (i32, String, String) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/read_table.py");
        let out = Command::new(&self.program).arg(script).args(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (out.status.code().unwrap(), text(out.stdout), text(out.stderr))
    }

    /// What `--check` says of each file.
    fn check(&self, paths: &[PathBuf]) -> Vec<String> {
        let (_, said, errors) =
            self.run(std::iter::once(Path::new("--check")).chain(paths.iter().map(PathBuf::as_path)));
        assert_eq!(errors, "");
        let said: Vec<String> = said.lines().map(str::to_owned).collect();
        assert_eq!(said.len(), paths.len());
        said
    }
}

/// A table, and how this crate reads it.
struct Example {
    name: String,
    folder: TempDir,
    path: PathBuf,
    read: fn(&Path) -> Lines,
}

impl Example {
    fn new(name: String, file: &str, read: fn(&Path) -> Lines) -> Self {
        let folder = TempDir::new().unwrap();
        Self { name, path: folder.path().join(file), folder, read }
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).unwrap()
    }

    /// Whether the codec is zstd.
    fn needs_zstd(&self) -> bool {
        self.bytes()[10] == 1
    }

    /// The version, and the bits per entry.
    fn format(&self) -> (u8, u32) {
        let bytes = self.bytes();
        (bytes[8], if bytes[8] == 1 { bytes[11].into() } else { number(&bytes, 28) })
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn text(entry: Entry) -> String {
    let with =
        |word, plies: Option<Plies>| plies.map_or(str::to_owned(word), |plies| format!("{word} {}", plies.0));
    match entry {
        Entry::Nothing => "nothing".to_owned(),
        Entry::Loss(plies) => with("loss", plies),
        Entry::Draw => "draw".to_owned(),
        Entry::Win(plies) => with("win", plies),
        Entry::NotWon => "not won".to_owned(),
        Entry::LossByRule => "loss by rule".to_owned(),
        Entry::WinByRule => "win by rule".to_owned(),
    }
}

/// A number as Python prints it.
fn float(value: f64) -> String {
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap();
    match exponent.parse().unwrap() {
        -4..16 => format!("{value:?}"),
        small @ ..0i32 => format!("{digits}e-{:02}", -small),
        large => format!("{digits}e+{large:02}"),
    }
}

fn open<P: Payload>(path: &Path) -> Result<Table<P>, endspiel_table::Error> {
    let table = Table::of(TableFile::open(path, Backend::Read)?)?;
    Ok(table.with_cache(Arc::new(BlockCache::new(1 << 22))))
}

fn read_values(path: &Path) -> Lines {
    let table = open::<Values>(path)?;
    table.check()?;
    Ok(read_all(&table)?.into_iter().map(text).collect())
}

fn read_numbers<const N: usize>(path: &Path) -> Lines {
    let table = open::<Numbers<N>>(path)?;
    table.check()?;
    let unit = f64::from(table.payload().format().unit);
    let line = |numbers: [i64; N]| numbers.map(|number| float(number as f64 / unit)).join(" ");
    Ok(read_all(&table)?.into_iter().map(|entry| entry.map_or("nothing".to_owned(), line)).collect())
}

fn read_outcomes(path: &Path) -> Lines {
    let outcomes = open::<Outcomes>(path)?;
    let entries = outcomes.entries();
    let table = SmallTable::new(Arc::new(outcomes), None)?;
    table.check()?;
    let line = |stored| match stored {
        Stored::Entry(entry) | Stored::WithoutDistance(entry) => text(entry),
    };
    (0..entries).map(|index| table.stored(index).map(line)).collect()
}

fn open_small(path: &Path) -> Result<SmallTable, endspiel_table::Error> {
    let outcomes = open::<Outcomes>(&neighbour(path))?;
    SmallTable::new(Arc::new(outcomes), Some(Arc::new(open::<Distances>(path)?)))
}

fn read_distances(path: &Path) -> Lines {
    let table = open_small(path)?;
    table.check()?;
    let line = |stored| match stored {
        Stored::Entry(Entry::Loss(Some(plies)) | Entry::Win(Some(plies))) => plies.0.to_string(),
        Stored::Entry(_) | Stored::WithoutDistance(_) => "-".to_owned(),
    };
    let entries = open::<Distances>(path)?.entries();
    (0..entries).map(|index| table.stored(index).map(line)).collect()
}

/// The outcomes of distances.
fn neighbour(path: &Path) -> PathBuf {
    path.to_str().unwrap().replace(".dtm.est", ".wdl.est").into()
}

fn values(metric: Metric, palette: &[Entry], count: usize, per_block: u32, codec: Codec) -> Example {
    let name = format!("{count} values of {metric:?} with {} different, {codec:?}", palette.len());
    let example = Example::new(name, "values.est", read_values);
    let entries = clustered(palette, count, &mut Rng::new(palette.len() as u64));
    write_entries(&example.path, &description(metric, count as u64), layout(per_block, codec), &entries);
    example
}

/// Values of every width, metric, version and codec.
fn all_values() -> Vec<Example> {
    let by_rule = [Entry::LossByRule, Entry::WinByRule];
    let mut all = Vec::new();
    for codec in [Codec::Stored, Codec::Zstd] {
        for (kinds, bits) in [(1, 1), (2, 1), (3, 2), (4, 2), (16, 4), (17, 8), (256, 8), (257, 16)] {
            all.push(values(Metric::Dtm, &different(Metric::Dtm, kinds), 1_003, 256, codec));
            assert_eq!(all.last().unwrap().format(), (1, bits));
            all.push(values(Metric::Dtz, &different(Metric::Dtz, kinds), 1_003, 256, codec));
            assert_eq!(all.last().unwrap().format(), (2, bits));
        }
        all.push(values(
            Metric::Dtm,
            &[&different(Metric::Dtm, 30)[..], &by_rule].concat(),
            1_003,
            64,
            codec,
        ));
        assert_eq!(all.last().unwrap().format(), (2, 8));
        all.push(values(Metric::Wdl, &different(Metric::Wdl, 5), 1_003, 64, codec));
        assert_eq!(all.last().unwrap().format(), (1, 4));
        all.push(values(Metric::Wdl, &different(Metric::Wdl, 7), 1_003, 1 << 20, codec));
        assert_eq!(all.last().unwrap().format(), (2, 4));
        all.push(values(Metric::Dtm, &[], 0, 64, codec));
    }
    all
}

fn numbers<const N: usize>(width: NumberWidth, signed: bool, codec: Codec, count: usize) -> Example {
    let name = format!("{count} times {N} numbers, {width:?}, signed {signed}, {codec:?}");
    let example = Example::new(name, "numbers.est", read_numbers::<N>);
    let payload = Numbers::new(NumberFormat { width, signed, unit: 60_000, error: 0.5 }).unwrap();
    let bits = match width {
        NumberWidth::One => 8,
        NumberWidth::Two => 16,
        NumberWidth::Four => 32,
    };
    let mut rng = Rng::new(bits);
    // All numbers that are allowed, in runs, so that zstd makes them shorter.
    let (low, high) =
        if signed { (1 - (1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 2) };
    let mut entry: Option<[i64; N]> = None;
    let mut entries = Vec::new();
    for _ in 0..count {
        if rng.below(4) == 0 {
            let mut number =
                |_| [low, high, low + rng.below((high - low) as u64) as i64][rng.below(3) as usize];
            let numbers = std::array::from_fn(&mut number);
            entry = (rng.below(5) > 0).then_some(numbers);
        }
        entries.push(entry);
    }
    let metric = if N == 1 { Metric::Equity } else { Metric::Distribution };
    let description = description(metric, entries.len() as u64);
    let entry = |index: u64| entries[index as usize];
    write_payload(&example.path, &description, layout(64, codec), &payload, entry, |_| ()).unwrap();
    assert_eq!(example.format(), (2, (bits * N as u64) as u32));
    example
}

/// Numbers of every width, signed or not, with both codecs.
fn all_numbers(count: usize) -> Vec<Example> {
    let mut all = Vec::new();
    for width in [NumberWidth::One, NumberWidth::Two, NumberWidth::Four] {
        for signed in [false, true] {
            for codec in [Codec::Stored, Codec::Zstd] {
                all.push(numbers::<1>(width, signed, codec, count));
                all.push(numbers::<3>(width, signed, codec, count));
            }
        }
    }
    all
}

/// How much the entries of a small table resemble their neighbours.
#[derive(Clone, Copy, Debug)]
enum Likeness {
    /// All are equal.
    Equal,
    /// There are regions, with a few exceptions. Some indices have no position.
    Regions,
    /// They are random.
    Random,
    /// One half has regions, and the other is random.
    Mixed,
}

/// A small table: its outcomes and its distances. Some places are free.
fn small(digits: &[u64], sections: bool, likeness: Likeness, kept: Kept) -> [Example; 2] {
    let entries: u64 = digits.iter().product();
    let random = |index: u64| {
        (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0x9e37_79b9) >> 20
    };
    let last = digits.last().unwrap();
    let of = move |index: u64| {
        let (row, column, noise) = (index / last, index % last, random(index));
        let is_random = match likeness {
            Likeness::Equal => return Entry::Win(Some(Plies(7))),
            Likeness::Regions => false,
            Likeness::Random => true,
            Likeness::Mixed => 2 * index > entries,
        };
        let distance = if is_random { noise % 250 } else { (row + column / 3 + noise % 2) % 90 } as u16;
        match if is_random { noise >> 10 & 7 } else { (row + 2 * column) / 8 % 8 } {
            _ if noise >> 20 & 31 == 0 => Entry::Nothing,
            0 => Entry::Draw,
            1 => Entry::WinByRule,
            2 => Entry::LossByRule,
            3..5 => Entry::Loss(Some(Plies(2 * distance))),
            _ => Entry::Win(Some(Plies(2 * distance + 1))),
        }
    };
    let is_free = |index: u64| (index >> 3).is_multiple_of(5) && !of(index).is_by_rule();
    let name = format!("{digits:?}, sections {sections}, {likeness:?}, {kept:?}");
    let outcomes = Example::new(format!("outcomes of {name}"), "slice.wdl.est", read_outcomes);
    let distances = Example::new(format!("distances of {name}"), "slice.dtm.est", read_distances);
    let root = TempDir::new().unwrap();
    let about = |metric| Description { slice: "slice".to_owned(), ..description(metric, entries) };
    let tiles = Tiles::new(digits, sections);
    write_small(root.path(), &about(Metric::Dtm), &tiles, of, is_free, kept, |_| {
        std::ops::ControlFlow::Continue(())
    })
    .unwrap()
    .unwrap();
    let copy = |metric, to: &Path| fs::copy(about(metric).path(root.path()), to).unwrap();
    copy(Metric::Wdl, &outcomes.path);
    copy(Metric::Wdl, &neighbour(&distances.path));
    copy(Metric::Dtm, &distances.path);
    [outcomes, distances]
}

/// The forms of the blocks of a small table: as expected, coded, or stored plainly.
fn forms(example: &Example) -> BTreeSet<&'static str> {
    let bytes = example.bytes();
    let (places, bits) = (number(&bytes, 24), number(&bytes, 28));
    let (index, end) = block_index(&bytes);
    let form = |at| match number(&bytes, at) {
        length if length == (places * bits).div_ceil(8) => "plain",
        1 => "expected",
        _ => "coded",
    };
    (index..end).step_by(8).map(form).collect()
}

/// Where the block index begins, and where its last record ends.
fn block_index(bytes: &[u8]) -> (usize, usize) {
    (number(bytes, bytes.len() - 60) as usize, bytes.len() - 64)
}

/// How many planes the sections of a table with distances store.
fn planes(example: &Example, sections: u64) -> BTreeSet<usize> {
    let table = open_small(&example.path).unwrap();
    let entries = open::<Distances>(&example.path).unwrap().entries();
    let in_section = |section| {
        let stored = |index| match table.stored(index).unwrap() {
            Stored::Entry(Entry::Loss(Some(_))) => Some("loss"),
            Stored::Entry(Entry::Win(Some(_))) => Some("win"),
            _ => None,
        };
        let indices = section * entries / sections..(section + 1) * entries / sections;
        indices.filter_map(stored).collect::<BTreeSet<_>>().len()
    };
    (0..sections).map(in_section).collect()
}

fn compare(python: &Python, examples: &[Example]) {
    for example in examples.iter().filter(|example| python.has_zstd || !example.needs_zstd()) {
        let expected = (example.read)(&example.path).unwrap();
        let (code, lines, errors) = python.run([&example.path]);
        assert_eq!((code, errors.as_str()), (0, ""), "{}", example.name);
        assert_eq!(lines.lines().count(), expected.len(), "{}", example.name);
        for (index, (line, expected)) in lines.lines().zip(&expected).enumerate() {
            assert_eq!(line, expected, "index {index} of {}", example.name);
        }
        let said = python.check(std::slice::from_ref(&example.path));
        assert_eq!(said, [verdict(&example.path, Ok(expected))], "{}", example.name);
    }
}

/// What the script says of a valid file, or the beginning of what it says of another.
fn verdict(path: &Path, lines: Lines) -> String {
    let checksum = |lines: Vec<String>| {
        crc32fast::hash(lines.into_iter().map(|line| line + "\n").collect::<String>().as_bytes())
    };
    lines.map_or(format!("the table `{}` ", path.display()), |lines| {
        format!("the table `{}` is valid: {:08x}", path.display(), checksum(lines))
    })
}

#[test]
fn values_are_the_same() {
    let Some(python) = Python::find() else { return };
    compare(&python, &all_values());
}

#[test]
fn numbers_are_the_same() {
    let Some(python) = Python::find() else { return };
    compare(&python, &all_numbers(300));
    compare(&python, &[numbers::<1>(NumberWidth::Two, true, Codec::Stored, 0)]);
}

#[test]
fn small_tables_are_the_same() {
    let Some(python) = Python::find() else { return };
    let mut all_forms = [BTreeSet::new(), BTreeSet::new()];
    let mut all_planes = BTreeSet::new();
    for (digits, sections, likeness) in [
        (&[2, 11, 10, 64][..], 2, Likeness::Regions),
        (&[2, 9, 500], 2, Likeness::Mixed),
        (&[2, 40, 30], 2, Likeness::Random),
        (&[2, 1_000], 2, Likeness::Equal),
        (&[1, 70, 70], 1, Likeness::Regions),
        (&[5_000], 0, Likeness::Regions),
        (&[5_000], 0, Likeness::Random),
        (&[3_000, 3], 0, Likeness::Mixed),
        (&[3, 5, 4, 3, 2, 3, 2, 5], 0, Likeness::Regions),
        (&[2, 1, 1], 2, Likeness::Regions),
        (&[1], 0, Likeness::Regions),
    ] {
        for kept in [Kept::WinsOrLosses, Kept::Wins, Kept::All] {
            let small = small(digits, sections > 0, likeness, kept);
            compare(&python, &small);
            all_forms.iter_mut().zip(&small).for_each(|(all, example)| all.extend(forms(example)));
            all_planes.extend(planes(&small[1], sections.max(1)));
        }
    }
    assert_eq!(all_forms, [(); 2].map(|()| BTreeSet::from(["plain", "expected", "coded"])));
    assert_eq!(all_planes, BTreeSet::from([0, 1, 2]));
}

/// A small file of each kind.
fn tiny(python: &Python) -> Vec<Example> {
    let mut all = Vec::new();
    for codec in [Codec::Stored, Codec::Zstd] {
        all.push(values(Metric::Wdl, &different(Metric::Wdl, 5), 130, 64, codec));
        all.push(values(Metric::Dtm, &different(Metric::Dtm, 30), 260, 128, codec));
        all.push(values(Metric::Dtz, &different(Metric::Wdl, 7)[5..], 515, 256, codec));
        all.push(numbers::<1>(NumberWidth::Four, true, codec, 130));
        all.push(numbers::<3>(NumberWidth::One, false, codec, 70));
    }
    for (digits, sections, likeness) in [
        (&[2, 3, 70][..], true, Likeness::Regions),
        (&[11, 11], false, Likeness::Mixed),
        (&[200], false, Likeness::Random),
    ] {
        all.extend(small(digits, sections, likeness, Kept::WinsOrLosses));
    }
    all.retain(|example| python.has_zstd || !example.needs_zstd());
    all
}

/// Lets both readers read files, which are an example with a change each, and compares their verdicts.
fn compare_changed(
    python: &Python,
    example: &Example,
    files: impl IntoIterator<Item = (String, Vec<u8>)>,
) -> usize {
    let mut changes = Vec::new();
    let mut paths = Vec::new();
    for (change, bytes) in files {
        let name = example.path.file_name().unwrap().to_str().unwrap().replace("slice", "changed");
        let path = example.folder.path().join(format!("{}{name}", paths.len()));
        fs::write(&path, bytes).unwrap();
        if path != neighbour(&path) {
            fs::hard_link(neighbour(&example.path), neighbour(&path)).unwrap();
        }
        changes.push(change);
        paths.push(path);
    }
    let mut valid = 0;
    for ((said, path), change) in python.check(&paths).into_iter().zip(&paths).zip(changes) {
        let lines = (example.read)(path);
        let what = format!("{change} of {}: {said}; here: {:?}", example.name, lines.as_ref().err());
        match lines {
            Ok(_) => assert_eq!(said, verdict(path, lines), "{what}"),
            Err(_) => {
                assert!(said.starts_with(&verdict(path, lines)) && !said.contains(" is valid"), "{what}");
            }
        }
        valid += usize::from(said.contains(" is valid"));
    }
    valid
}

#[test]
fn damage_is_refused() {
    let Some(python) = Python::find() else { return };
    for example in tiny(&python) {
        let bytes = example.bytes();
        let changed = (0..bytes.len()).map(|at| {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1 << (at % 8);
            (format!("byte {at}"), bytes)
        });
        let cut =
            (0..bytes.len()).step_by(7).map(|length| (format!("cut to {length}"), bytes[..length].to_vec()));
        let grown = [("an added byte".to_owned(), [&bytes[..], &[0]].concat())];
        let files: Vec<_> = changed.chain(cut).chain(grown).collect();
        assert_eq!(compare_changed(&python, &example, files), 0, "{}", example.name);
    }
}

/// With right checksums, both readers refuse the same files, and find the same entries in all others. So docs/format.md tells
/// which values are allowed.
#[test]
fn forged_files_are_judged_alike() {
    let Some(python) = Python::find() else { return };
    for example in tiny(&python) {
        let bytes = example.bytes();
        let header = number(&bytes, 12) as usize;
        let (_, index_end) = block_index(&bytes);
        let places = (8..header - 4).chain(header..index_end).chain(bytes.len() - 60..bytes.len() - 44);
        let forged = |at: usize, change: fn(u8) -> u8| {
            let mut bytes = bytes.clone();
            bytes[at] = change(bytes[at]);
            repair(&mut bytes);
            (format!("byte {at}, now {},", bytes[at]), bytes)
        };
        let changes: [fn(u8) -> u8; 5] =
            [|byte| byte.wrapping_add(1), |byte| byte.wrapping_sub(1), |byte| byte ^ 0x80, |_| 0, |_| 64];
        // All changes of the header, and one of each other byte.
        let some = |at: usize| if at < header { 0..5 } else { at % 5..at % 5 + 1 };
        let files: Vec<_> = places
            .flat_map(|at| some(at).map(move |change| (at, change)))
            .map(|(at, change)| forged(at, changes[change]))
            .collect();
        // Another version with each codec: the payload must belong to them.
        let versions = [(2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2)].map(|(version, codec)| {
            let mut bytes = bytes.clone();
            (bytes[8], bytes[10]) = (version, codec);
            repair(&mut bytes);
            (format!("version {version} with codec {codec}"), bytes)
        });
        let files: Vec<_> = files.into_iter().chain(versions).collect();
        let valid = compare_changed(&python, &example, files);
        assert!(valid > 0, "{}: texts can have other letters", example.name);
    }
}

#[test]
fn the_command_line_is_as_described() {
    let Some(python) = Python::find() else { return };
    let example = values(Metric::Wdl, &different(Metric::Wdl, 3), 100, 64, Codec::Stored);
    let path = example.path.to_str().unwrap();
    let lines = read_values(&example.path).unwrap();
    let expected = format!("{}\n{}\n", lines[99], lines[0]);
    assert_eq!(python.run([path, "99", "0"]), (0, expected, String::new()));
    let refused = format!("the table `{path}` has 100 entries, and no index 100\n");
    assert_eq!(python.run([path, "100"]), (2, String::new(), refused));
    for wrong in [&[][..], &[path, "-1"], &[path, "x"], &["--check"], &["--other"]] {
        let (code, said, errors) = python.run(wrong);
        assert_eq!((code, said.as_str()), (2, ""));
        assert!(errors.contains("read_table.py FILE [INDEX ...]"), "{errors}");
    }
    let folder = example.folder.path().to_str().unwrap();
    for (path, problem) in
        [("/nowhere/a.est", "cannot be read: No such file or directory"), (folder, "is not a regular file")]
    {
        let expected = format!("the table `{path}` {problem}\n");
        assert_eq!(python.run([path]), (1, String::new(), expected));
    }
}
