//! Players that were there before: programs of other people, which run as processes of their own.

pub mod gnubg;
