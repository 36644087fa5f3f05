//! What operating systems do each in their own way. One `cfg` chooses; what is portable is tested everywhere.

#[cfg(any(test, not(unix)))]
pub(crate) mod portable;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use portable::{FileAt, sync_folder};
#[cfg(unix)]
pub(crate) use unix::{FileAt, sync_folder};
