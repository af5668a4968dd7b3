//! Sets of resources, by what is done to them.

use super::access::{Access, Mode};
use std::ops::Range;

/// The number of modes.
const MODES: usize = Mode::Change as usize + 1;

/// What some edges touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// For each mode a set of resources, one after the other.
    bits: Vec<u64>,
    /// The words of each set.
    width: usize,
}

impl Region {
    /// An empty one.
    pub fn new(resources: u32) -> Region {
        let width = (resources as usize).div_ceil(64);
        Region { bits: vec![0; MODES * width], width }
    }

    /// Makes it empty.
    pub fn clear(&mut self) {
        self.bits.fill(0);
    }

    /// Adds resources.
    pub fn add(&mut self, mode: Mode, range: Range<u32>) {
        let set = self.set_mut(mode);
        for at in range {
            set[at as usize / 64] |= 1 << (at % 64);
        }
    }

    /// Adds everything that an access may mean.
    pub fn add_all(&mut self, access: &Access) {
        self.add(access.mode, access.range.clone());
    }

    /// Adds another one; says whether that changed it.
    pub fn unite(&mut self, other: &Region) -> bool {
        let mut changed = false;
        for (word, &more) in self.bits.iter_mut().zip(&other.bits) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }

    /// Becomes the same as another one.
    pub fn copy_from(&mut self, other: &Region) {
        self.bits.clone_from(&other.bits);
        self.width = other.width;
    }

    /// The resources of a mode.
    pub fn set(&self, mode: Mode) -> &[u64] {
        &self.bits[mode as usize * self.width..][..self.width]
    }

    /// Whether a resource is in the set of a mode.
    pub fn has(&self, mode: Mode, resource: u32) -> bool {
        self.set(mode)[resource as usize / 64] & 1 << (resource % 64) != 0
    }

    fn set_mut(&mut self, mode: Mode) -> &mut [u64] {
        &mut self.bits[mode as usize * self.width..][..self.width]
    }
}

/// Which channels have a buffer, as a set of resources.
#[derive(Clone, Debug, Default)]
pub struct Buffered(pub Vec<u64>);

/// What a process may do next, and which messages or room it waits for.
pub struct Next<'a> {
    pub region: &'a Region,
    /// Channels from which it would receive, if only there were a message.
    pub lacks_message: &'a [u64],
    /// Channels on which it would send, if only there were room.
    pub lacks_room: &'a [u64],
}

/// Whether what a process may do next depends on what another one may ever do, or the other way round: whether the
/// two do not commute, or one enables or disables the other.
pub fn conflict(next: &Next, later: &Region, Buffered(buffered): &Buffered) -> bool {
    let of = |mode| next.region.set(mode);
    let (reads, writes) = (of(Mode::Read), of(Mode::Write));
    let (looks, sends, receives, changes) =
        (of(Mode::Look), of(Mode::Send), of(Mode::Receive), of(Mode::Change));
    (0..later.width).any(|i| {
        let of = |mode| later.set(mode)[i];
        let (sent, received) = (of(Mode::Send), of(Mode::Receive));
        let (looked, changed) = (of(Mode::Look), of(Mode::Change));
        let data = writes[i] & (of(Mode::Read) | of(Mode::Write)) | reads[i] & of(Mode::Write);
        // A message at the end of a buffer and one taken from its front are independent, unless one waits for
        // the other.
        let messages = looks[i] & (sent | received | changed)
            | sends[i] & (sent & buffered[i] | looked | changed)
            | receives[i] & (received & buffered[i] | looked | changed)
            | changes[i] & (sent | received | looked | changed)
            | next.lacks_message[i] & sent
            | next.lacks_room[i] & received;
        let meetings = !buffered[i] & (sends[i] & received | receives[i] & sent);
        (data | messages | meetings) != 0
    })
}
