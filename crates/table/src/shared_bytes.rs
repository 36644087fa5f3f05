//! Bytes that threads read while another thread may replace them, without a lock and without a counter that they share.
//!
//! A thread *pins* itself while it reads. Bytes that are taken out are given back to the system when all threads that were pinned at
//! that time have ended their reads. So a reader follows one pointer, and readers of several places do not wait for each other:
//! the machine can read them at once.
#![allow(unsafe_code)]

pub(crate) use crossbeam_epoch::{Guard as Pin, pin};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A place for bytes, which has as many as it was made for, or none.
#[derive(Debug)]
pub(crate) struct SharedBytes {
    /// The first byte of an `Arc<[u8]>` with `length` bytes that belongs to this place, or null.
    first: AtomicPtr<u8>,
    /// Short, because a machine should have the places of all blocks at hand.
    length: u32,
}

impl SharedBytes {
    /// A place for so many bytes. It has none yet.
    ///
    /// # Panics
    /// Panics if there are more than 4 GB.
    pub(crate) fn new(length: usize) -> Self {
        let length = u32::try_from(length).expect("blocks are short");
        Self { first: AtomicPtr::new(ptr::null_mut()), length }
    }

    fn length(&self) -> usize {
        self.length as usize
    }

    /// The bytes, if there are any.
    #[inline]
    pub(crate) fn get<'a>(&'a self, _pin: &'a Pin) -> Option<&'a [u8]> {
        let first = self.first.load(Ordering::Acquire);
        // SAFETY: the pointer is one to an `Arc<[u8]>` of this length, because only `replace` writes it. The place owns a
        // reference to it. It is given up by `drop`, for which no borrow may be left, or by `replace`, and then only after all threads
        // that were pinned at that time are not any more. This thread stays pinned as long as the result lives. Nobody writes to
        // the bytes, because they are in an `Arc`.
        (!first.is_null()).then(|| unsafe { std::slice::from_raw_parts(first, self.length()) })
    }

    /// A reference to the bytes that stays when they are replaced.
    pub(crate) fn share(&self, pin: &Pin) -> Option<Arc<[u8]>> {
        let bytes = ptr::from_ref(self.get(pin)?);
        // SAFETY: `get` returned the pointer of an `Arc<[u8]>` that lives, as this thread is pinned. So a reference can be added to those
        // that there are, and belongs to the result.
        unsafe {
            Arc::increment_strong_count(bytes);
            Some(Arc::from_raw(bytes))
        }
    }

    /// Puts other bytes in this place, or none.
    ///
    /// # Panics
    /// Panics if there are more or fewer bytes than the place is for.
    pub(crate) fn replace(&self, bytes: Option<Arc<[u8]>>) {
        assert!(bytes.as_ref().is_none_or(|bytes| bytes.len() == self.length()), "{} bytes", self.length);
        let first = bytes.map_or(ptr::null_mut(), |bytes| Arc::into_raw(bytes).cast::<u8>().cast_mut());
        let last = self.first.swap(first, Ordering::AcqRel);
        if last.is_null() {
            return;
        }
        let (last, pin) = (ptr::slice_from_raw_parts(last, self.length()), pin());
        // SAFETY: the pointer is that of an `Arc<[u8]>` whose reference belonged to this place. It was taken out, so nobody else gives
        // it up, and threads that pin themselves from now on do not find it. Any thread may drop it.
        unsafe { pin.defer_unchecked(move || drop(Arc::from_raw(last))) };
        // Blocks are large, so they must not wait until there are many.
        pin.flush();
    }
}

impl Drop for SharedBytes {
    fn drop(&mut self) {
        let first = *self.first.get_mut();
        if !first.is_null() {
            // SAFETY: the reference belongs to this place, and nobody can borrow from it any more.
            drop(unsafe { Arc::from_raw(ptr::slice_from_raw_parts(first, self.length())) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::thread;

    #[test]
    fn readers_see_whole_bytes_while_they_are_replaced() {
        const LENGTH: usize = 4096;
        let (place, is_done) = (SharedBytes::new(LENGTH), AtomicBool::new(false));
        let kept = thread::scope(|scope| {
            let read = || {
                let (mut kept, mut reads) = (None, 0u64);
                while !is_done.load(Ordering::Relaxed) || reads == 0 {
                    let pin = pin();
                    if let Some(bytes) = place.get(&pin) {
                        assert!(bytes.iter().all(|&byte| byte == bytes[0]));
                        reads += 1;
                    }
                    kept = place.share(&pin).or(kept);
                }
                kept.expect("bytes were read")
            };
            let readers = [scope.spawn(read), scope.spawn(read)];
            for round in 0..2_000u32 {
                place.replace(Some(vec![round as u8; LENGTH].into()));
                if round % 3 == 0 {
                    place.replace(None);
                }
            }
            place.replace(Some(vec![7; LENGTH].into()));
            is_done.store(true, Ordering::Relaxed);
            readers.map(|reader| reader.join().expect("no reader fails"))
        });
        drop(place);
        assert!(kept.iter().all(|bytes| bytes.len() == LENGTH && bytes.iter().all(|&byte| byte == bytes[0])));
    }

    #[test]
    fn references_are_given_up() {
        let bytes: Arc<[u8]> = vec![1; 100].into();
        let place = SharedBytes::new(100);
        place.replace(Some(Arc::clone(&bytes)));
        let shared = place.share(&pin());
        assert_eq!(Arc::strong_count(&bytes), 3);
        drop((place, shared));
        assert_eq!(Arc::strong_count(&bytes), 1);
    }

    #[test]
    #[should_panic(expected = "100 bytes")]
    fn a_place_is_for_bytes_of_one_length() {
        SharedBytes::new(100).replace(Some(vec![1; 99].into()));
    }
}
