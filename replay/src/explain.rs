//! Why a process does not move and what values a failure sees: for people who read reports.
//!
//! Nothing here decides what a network does; it only looks at a state once more.

use network::{Action, Arena, ChannelId, Edge, EdgeId, Expr, Local, LocalId, Move, ProcessId};

use crate::frame::Frame;
use crate::offers::{Role, Selections};
use crate::{Simulator, State, Stop};

/// What keeps an edge from firing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The part of its guard about data.
    Data,
    /// Constraints of its guard on clocks, by their positions: they do not hold now.
    Clocks(Vec<usize>),
    /// The buffer it receives from has no message.
    Empty(ChannelId, usize),
    /// The buffer it receives from has no message that fits.
    NoneFits(ChannelId, usize),
    /// The buffer it sends to has no room.
    Full(ChannelId, usize),
    /// Nobody receives what it sends.
    NoReceiver(ChannelId, usize),
    /// Nobody sends what it receives.
    NoSender(ChannelId, usize),
    /// Another rule, in plain words.
    Rule(String),
}

impl Simulator<'_> {
    /// What keeps an edge of a process from firing now, for every choice of its selects; nothing for
    /// those with which it can.
    pub fn obstacles(
        &self,
        state: &State,
        process: ProcessId,
        edge: EdgeId,
    ) -> Vec<(Vec<i32>, Obstacle)> {
        let of = |selects: Vec<i32>| {
            let moved = Move { process, edge, selects };
            let obstacle = self.obstacle(state, &moved);
            let obstacle = obstacle.unwrap_or_else(|stop| Some(self.rule(&stop)));
            obstacle.map(|obstacle| (moved.selects, obstacle))
        };
        Selections::new(&self.network().processes[process].edges[edge]).filter_map(of).collect()
    }

    fn obstacle(&self, state: &State, moved: &Move) -> Result<Option<Obstacle>, Stop> {
        let edge = self.edge_of(moved);
        let mut evaluator = self.evaluator(state);
        evaluator.timeout = self.is_timeout(state);
        let mut frame = Frame::of_edge(edge, &moved.selects);
        let Some(atoms) = evaluator.condition(&edge.guard, &mut frame)? else {
            return Ok(Some(Obstacle::Data));
        };
        // Constraints that demand nothing now have no atom, so their positions are looked up.
        if atoms.iter().any(|atom| !atom.holds(&evaluator.draft, self.scale())) {
            let mut failing = Vec::new();
            for (position, constraint) in edge.guard.clocks.iter().enumerate() {
                let atom = evaluator.atom(constraint, &mut frame)?;
                if atom.is_some_and(|atom| !atom.holds(&evaluator.draft, self.scale())) {
                    failing.push(position);
                }
            }
            return Ok(Some(Obstacle::Clocks(failing)));
        }
        let role = self.role(state, edge, &moved.selects)?;
        self.obstacle_of_role(state, moved, role)
    }

    fn obstacle_of_role(
        &self,
        state: &State,
        moved: &Move,
        role: Role,
    ) -> Result<Option<Obstacle>, Stop> {
        let edge = self.edge_of(moved);
        let Some(number) = role.element() else { return Ok(self.rule_against(state, &[moved])) };
        let (channel, element) = self.element(number);
        let ready = self.takes(number, &edge.action)
            && self.is_buffer_ready(state, edge, &moved.selects, role)?;
        let held = state.buffer(channel, element).len();
        Ok(match role {
            Role::Put(_) if !ready => Some(Obstacle::Full(channel, element)),
            Role::Take(_) if !ready && held == 0 => Some(Obstacle::Empty(channel, element)),
            Role::Take(_) if !ready => Some(Obstacle::NoneFits(channel, element)),
            Role::Send(_) if !self.is_broadcast(number) => {
                match self.partner(state, moved, Role::Receive(number), number) {
                    Some(receiver) => self.rule_against(state, &[moved, &receiver]),
                    None => Some(Obstacle::NoReceiver(channel, element)),
                }
            }
            Role::Receive(_) => match self.partner(state, moved, Role::Send(number), number) {
                Some(sender) if self.is_broadcast(number) => self.rule_against(state, &[&sender]),
                Some(sender) => self.rule_against(state, &[&sender, moved]),
                None => Some(Obstacle::NoSender(channel, element)),
            },
            _ => self.rule_against(state, &[moved]),
        })
    }

    /// A move of another process that takes the other part in a synchronisation.
    fn partner(&self, state: &State, moved: &Move, wanted: Role, number: usize) -> Option<Move> {
        let sends = matches!(self.edge_of(moved).action, Action::Send(_));
        let offers = self.offers(state, None, self.is_timeout(state), &mut Vec::new());
        let meets = |other: &Move| match sends {
            true => self.is_handed(state, moved, other, number),
            false => self.is_handed(state, other, moved, number),
        };
        let now = offers.into_iter().filter(|offer| offer.moments.contains(0));
        let mut others = now.filter(|offer| offer.moved.process != moved.process);
        others
            .find(|offer| offer.role == wanted && meets(&offer.moved).unwrap_or(true))
            .map(|offer| offer.moved)
    }

    /// The rule that forbids a step whose edges could fire; none if it is possible.
    fn rule_against(&self, state: &State, moves: &[&Move]) -> Option<Obstacle> {
        let moves: Vec<Move> = moves.iter().map(|&moved| moved.clone()).collect();
        let stop = self.take_without(state, &moves).err()?;
        Some(self.rule(&stop))
    }

    fn rule(&self, stop: &Stop) -> Obstacle {
        Obstacle::Rule(stop.message(self.network()))
    }

    /// The value of an expression in a state; `bound` gives values to some of its locals.
    pub fn evaluate(
        &self,
        state: &State,
        expr: &Expr,
        locals: &Arena<LocalId, Local>,
        bound: &[(LocalId, i32)],
    ) -> Result<i32, Stop> {
        let mut frame = Frame::new(locals);
        for &(local, value) in bound {
            frame.write(local, 0, value);
        }
        let mut evaluator = self.evaluator(state);
        evaluator.timeout = self.is_timeout(state);
        evaluator.expr(expr, &mut frame)
    }

    /// The message that is handed over without a buffer when the moves fire together.
    pub fn message_passed(&self, state: &State, moves: &[Move]) -> Option<Vec<i32>> {
        let role = |moved: &Move| self.role(state, self.edge_of(moved), &moved.selects).ok();
        let watched = moves.iter().filter(|it| !self.network().processes[it.process].observes);
        let moves: Vec<Move> = watched.cloned().collect();
        let roles: Option<Vec<Role>> = moves.iter().map(role).collect();
        let message = self.handed(state, &moves, &roles?).ok().flatten();
        message.filter(|message| !message.is_empty())
    }

    /// The state in the midst of a step when one of its statements raises an error: with all that was
    /// written so far, everybody still where they were.
    pub fn at_failure(&self, state: &State, moves: &[Move]) -> State {
        let role = |moved: &Move| self.role(state, self.edge_of(moved), &moved.selects);
        let roles: Result<Vec<Role>, Stop> = moves.iter().map(role).collect();
        let Ok(roles) = roles else { return state.clone() };
        let Ok(handed) = self.handed(state, moves, &roles) else { return state.clone() };
        let mut evaluator = self.evaluator(state);
        for (moved, &role) in moves.iter().zip(&roles) {
            let edge = self.edge_of(moved);
            if evaluator.edge(edge, &moved.selects, role, handed.as_ref()).is_err() {
                break;
            }
        }
        evaluator.draft.finish(self.scale())
    }

    /// What a local holds at the end of a step in which another edge stands in for the move at a
    /// position; as far as the step goes, if it raises an error.
    pub fn local_after(
        &self,
        state: &State,
        moves: &[Move],
        position: usize,
        edge: &Edge,
        local: LocalId,
    ) -> Vec<i32> {
        let mut evaluator = self.evaluator(state);
        let mut frame = Frame::of_edge(edge, &moves[position].selects);
        let role = |moved: &Move| self.role(state, self.edge_of(moved), &moved.selects);
        let roles: Result<Vec<Role>, Stop> = moves.iter().map(role).collect();
        let handed = roles.as_ref().ok().and_then(|it| self.handed(state, moves, it).ok());
        if let (Ok(roles), Some(handed)) = (roles, handed) {
            for (moved, &role) in moves[..position].iter().zip(&roles) {
                let other = self.edge_of(moved);
                let _ = evaluator.edge(other, &moved.selects, role, handed.as_ref());
            }
            let _ = evaluator.edge_within(edge, &mut frame, roles[position], handed.as_ref());
        }
        (0..edge.locals[local].len()).map(|element| frame.read(local, element)).collect()
    }

    /// For how many ticks time may pass at most: none if for ever.
    pub fn longest_delay(&self, state: &State) -> Result<Option<i128>, Stop> {
        let (allowed, _) = self.allowed_delays(state)?;
        Ok((allowed.last != i128::MAX).then(|| (allowed.last + 1) / 2))
    }
}
