//! Forged files: changed bytes under right checksums.
// Each test file uses only a part of it.
#![allow(dead_code)]

/// Makes all checksums and the content hash of a changed file right, as far as its parts can be found.
pub fn repair(bytes: &mut [u8]) {
    let number = |bytes: &[u8], at: usize, size: usize| {
        let number = bytes[at..at + size].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        usize::try_from(number).unwrap_or(usize::MAX)
    };
    let trailer = bytes.len() - 60;
    let header = number(bytes, 12, 4);
    if (4..trailer).contains(&header) {
        checksum_at(bytes, 0, header - 4);
    }
    let (index, blocks) = (number(bytes, trailer, 8), number(bytes, trailer + 8, 8));
    let end = blocks.checked_mul(8).and_then(|length| length.checked_add(index));
    if let Some(end) = end.filter(|&end| end <= trailer - 4) {
        let mut block = header;
        for record in (index..end).step_by(8) {
            let length = number(bytes, record, 4);
            let Some(contents) = bytes.get(block..block.saturating_add(length)) else { break };
            let checksum = crc32fast::hash(contents);
            bytes[record + 4..record + 8].copy_from_slice(&checksum.to_le_bytes());
            block += length;
        }
        checksum_at(bytes, index, end);
    }
    let hash = blake3::hash(&bytes[..trailer + 16]);
    bytes[trailer + 16..trailer + 48].copy_from_slice(hash.as_bytes());
    checksum_at(bytes, trailer, trailer + 48);
}

/// Writes the checksum of some bytes behind them.
fn checksum_at(bytes: &mut [u8], start: usize, end: usize) {
    let checksum = crc32fast::hash(&bytes[start..end]);
    bytes[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
}

/// Changes the content hash of a file, under a right checksum: only who reads the whole file notices it.
pub fn spoil_hash(bytes: &mut [u8]) {
    let trailer = bytes.len() - 60;
    bytes[trailer + 16] ^= 1;
    checksum_at(bytes, trailer, trailer + 48);
}
