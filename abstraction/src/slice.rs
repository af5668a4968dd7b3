//! What is left of statements: what they do to kept parts. Where that depends on a dropped part, any value
//! of the right range may come out, chosen by an additional select of the edge.

use crate::pattern::{Contents, Part};
use crate::sight::Sight;
use network::{
    Action, Arena, Base, ChannelRef, ClockRef, Dimension, Expr, FunctionId, Id, Local, LocalId,
    MAX_CLOCK_BOUND, Overflow, Pattern as Field, Place, Receive, Send, Statement, StatementKind,
    Type, range_of,
};
use std::collections::BTreeSet;

/// The greatest number of values that one choice may have.
const MOST_VALUES: i64 = 64;

/// The greatest number of combinations of choices that one edge may have.
const MOST_COMBINATIONS: i64 = 256;

/// That what statements do to kept parts cannot be said without a choice.
pub(crate) struct NeedsChoice;

/// Cuts the statements of one edge or function down to kept parts.
pub(crate) struct Slicer<'s, 'a> {
    sight: &'s Sight<'a>,
    locals: Arena<LocalId, Local>,
    /// The locals whose values are not known.
    blind: Vec<bool>,
    /// Whether there can be choices: in edges.
    can_choose: bool,
    /// The selects that make choices.
    pub choices: Vec<LocalId>,
    combinations: i64,
    /// How many loops a statement stands in.
    loops: usize,
    /// Parts that cannot be kept.
    pub excess: BTreeSet<Part>,
    /// The type of the function's result.
    result: Option<Type>,
    /// Whether the result of the function is known.
    pub result_is_exact: bool,
}

/// What is left of a send or receive on a channel.
pub(crate) struct Exchange<T> {
    /// The exchange itself, if the channel is kept or has no buffer.
    pub exchange: Option<T>,
    /// Whether there may be a buffer that is dropped, so that nobody is needed for it.
    pub is_free: bool,
}

impl<'s, 'a> Slicer<'s, 'a> {
    /// For a function, where there are no choices.
    pub fn of_function(sight: &'s Sight<'a>, function: &network::Function) -> Self {
        let slicer = Slicer::new(sight, &function.locals, false);
        let mut slicer = Slicer { result: function.result, ..slicer };
        slicer.find_blind(None, &function.body);
        slicer
    }

    /// For an edge.
    pub fn of_edge(sight: &'s Sight<'a>, edge: &network::Edge) -> Self {
        let mut slicer = Slicer::new(sight, &edge.locals, true);
        slicer.find_blind(Some(&edge.action), &edge.update);
        slicer
    }

    fn new(sight: &'s Sight<'a>, locals: &Arena<LocalId, Local>, can_choose: bool) -> Self {
        Slicer {
            sight,
            locals: locals.clone(),
            blind: vec![false; locals.len()],
            can_choose,
            choices: Vec::new(),
            combinations: 1,
            loops: 0,
            excess: BTreeSet::new(),
            result: None,
            result_is_exact: true,
        }
    }

    /// The locals, those that make choices among them.
    pub fn into_locals(self) -> Arena<LocalId, Local> {
        self.locals
    }

    pub fn sees(&self, expr: &Expr) -> bool {
        self.sight.sees(&self.blind, expr)
    }

    fn keeps(&self, place: &Place) -> bool {
        self.sight.keeps_place(&self.blind, place)
    }

    // ---- locals ----

    /// Finds the locals that may hold something unknown.
    fn find_blind(&mut self, action: Option<&Action>, body: &[Statement]) {
        loop {
            let before = self.blind.clone();
            if let Some(Action::Receive(receive)) = action {
                self.blind_by_message(receive, false);
            }
            body.iter().for_each(|statement| self.blind_by(statement, false));
            if self.blind == before {
                return;
            }
        }
    }

    /// Marks the locals that a statement makes unknown; all it assigns, if it is not known whether it runs.
    fn blind_by(&mut self, statement: &Statement, is_unsure: bool) {
        match &statement.kind {
            StatementKind::Assign(place, value) => {
                let is_known = self.sees(value) && self.sight.sees_all(&self.blind, &place.indices);
                self.blind_local(place, is_unsure || !is_known);
            }
            StatementKind::Call(Some(place), function, arguments) => {
                let is_known = self.sees_call(*function, arguments)
                    && self.sight.functions[function.index()].result_is_exact
                    && self.sight.sees_all(&self.blind, &place.indices);
                self.blind_local(place, is_unsure || !is_known);
            }
            StatementKind::Receive(receive) => self.blind_by_message(receive, is_unsure),
            StatementKind::If(condition, ..) | StatementKind::While(condition, _) => {
                let is_unsure = is_unsure || !self.sees(condition);
                statement.children().for_each(|child| self.blind_by(child, is_unsure));
            }
            _ => {}
        }
    }

    fn blind_by_message(&mut self, receive: &Receive, is_unsure: bool) {
        let is_known = self.sight.sees_channel(&self.blind, &receive.channel);
        for field in &receive.message {
            if let Field::Store(place) = field {
                let is_known = is_known && self.sight.sees_all(&self.blind, &place.indices);
                self.blind_local(place, is_unsure || !is_known);
            }
        }
    }

    fn blind_local(&mut self, place: &Place, is_unknown: bool) {
        if let Base::Local(id) = place.base {
            self.blind[id.index()] |= is_unknown;
        }
    }

    fn sees_call(&self, function: FunctionId, arguments: &[Expr]) -> bool {
        self.sight.functions[function.index()].is_exact
            && self.sight.sees_all(&self.blind, arguments)
    }

    // ---- choices ----

    /// Any value of a range. If there are too many, what is blamed cannot be kept.
    fn choice(&mut self, (low, high): (i32, i32), blamed: &[Part]) -> Result<Expr, NeedsChoice> {
        if !self.can_choose {
            return Err(NeedsChoice);
        }
        let values = i64::from(high) - i64::from(low) + 1;
        let is_too_much =
            values > MOST_VALUES || self.combinations.saturating_mul(values) > MOST_COMBINATIONS;
        // A choice is made once for a step, not anew in each round.
        if self.loops > 0 || is_too_much && !blamed.is_empty() {
            self.excess.extend(blamed);
            return Ok(Expr::Const(low));
        }
        self.combinations = self.combinations.saturating_mul(values);
        let ty = Type::range(low, high);
        let name = format!("any{}", self.choices.len());
        let local = self.locals.push(Local { name, ty, sizes: Vec::new() });
        self.blind.push(false);
        self.choices.push(local);
        Ok(Expr::local(local))
    }

    /// The expression itself if it is known, any of its possible values if not.
    fn or_choice(
        &mut self,
        expr: &Expr,
        range: (i32, i32),
        blamed: impl Into<Option<Part>>,
    ) -> Result<Expr, NeedsChoice> {
        match self.sees(expr) {
            true => Ok(expr.clone()),
            false => self.choice(range, blamed.into().as_slice()),
        }
    }

    /// The values that an expression can have when it is stored as a type.
    fn stored_range(&self, expr: &Expr, ty: &Type) -> (i32, i32) {
        // Choices among the locals do not stand in it.
        let (low, high) = range_of(self.sight.network, &self.locals, expr);
        clipped((low, high), ty)
    }

    fn indices(
        &mut self,
        indices: &[Expr],
        dimensions: &[Dimension],
        blamed: impl Into<Option<Part>>,
    ) -> Result<Vec<Expr>, NeedsChoice> {
        let last = |dimension: &Dimension| i32::try_from(dimension.size - 1).unwrap_or(i32::MAX);
        let blamed = blamed.into();
        let parts = indices.iter().zip(dimensions);
        parts.map(|(index, it)| self.or_choice(index, (0, last(it)), blamed)).collect()
    }

    // ---- statements ----

    /// What is left of statements.
    pub fn block(&mut self, statements: &[Statement]) -> Result<Vec<Statement>, NeedsChoice> {
        let mut left = Vec::new();
        for statement in statements {
            self.statement(statement, &mut left)?;
        }
        Ok(left)
    }

    fn statement(
        &mut self,
        statement: &Statement,
        left: &mut Vec<Statement>,
    ) -> Result<(), NeedsChoice> {
        let kind = match &statement.kind {
            StatementKind::Assign(place, value) => self.assign(place, value)?,
            StatementKind::Reset(clock, value) => self.reset(clock, value)?,
            StatementKind::If(condition, then, otherwise) => {
                self.branch(statement, condition, then, otherwise)?
            }
            StatementKind::While(condition, body) => {
                return self.repeat(statement, condition, body, left);
            }
            StatementKind::Call(place, function, arguments) => {
                return self.call(statement, place.as_ref(), (*function, arguments), left);
            }
            StatementKind::Return(value) => Some(self.leave(value.as_ref())),
            StatementKind::Assert(condition) | StatementKind::Await(condition) => {
                self.sees(condition).then(|| statement.kind.clone())
            }
            StatementKind::Send(send) => {
                let Exchange { exchange, is_free } = self.send(send)?;
                exchange.filter(|_| !is_free).map(StatementKind::Send)
            }
            StatementKind::Receive(receive) => {
                let (Exchange { exchange, is_free }, stores) = self.receive(receive)?;
                let receive = exchange.filter(|_| !is_free).map(StatementKind::Receive);
                left.extend(receive.map(|kind| Statement { kind, span: statement.span }));
                left.extend(stores);
                None
            }
            StatementKind::Fail(_) | StatementKind::NoRoom => Some(statement.kind.clone()),
            StatementKind::Enter(process, _) => {
                self.sight.pattern.keeps(Part::Process(*process)).then(|| statement.kind.clone())
            }
        };
        left.extend(kind.map(|kind| Statement { kind, span: statement.span }));
        Ok(())
    }

    fn assign(
        &mut self,
        place: &Place,
        value: &Expr,
    ) -> Result<Option<StatementKind>, NeedsChoice> {
        if !self.keeps(place) {
            return Ok(None);
        }
        let Base::Variable(id) = place.base else {
            return Ok(Some(StatementKind::Assign(place.clone(), value.clone())));
        };
        let (part, variable) = (Part::Variable(id), &self.sight.network.variables[id]);
        let range = self.stored_range(value, &variable.ty);
        let value = self.or_choice(value, range, part)?;
        let indices = self.indices(&place.indices, &variable.dimensions, part)?;
        Ok(Some(StatementKind::Assign(Place { base: place.base, indices }, value)))
    }

    fn reset(
        &mut self,
        clock: &ClockRef,
        value: &Expr,
    ) -> Result<Option<StatementKind>, NeedsChoice> {
        let part = Part::Clock(clock.clock);
        if !self.sight.pattern.keeps(part) {
            return Ok(None);
        }
        let range = self.stored_range(value, &Type::range(0, MAX_CLOCK_BOUND));
        let value = self.or_choice(value, range, part)?;
        let dimensions = &self.sight.network.clocks[clock.clock].dimensions;
        let indices = self.indices(&clock.indices, dimensions, part)?;
        Ok(Some(StatementKind::Reset(ClockRef { clock: clock.clock, indices }, value)))
    }

    fn branch(
        &mut self,
        statement: &Statement,
        condition: &Expr,
        then: &[Statement],
        otherwise: &[Statement],
    ) -> Result<Option<StatementKind>, NeedsChoice> {
        let (then, otherwise) = (self.block(then)?, self.block(otherwise)?);
        if then.is_empty() && otherwise.is_empty() {
            return Ok(None);
        }
        if self.sees(condition) {
            return Ok(Some(StatementKind::If(condition.clone(), then, otherwise)));
        }
        let changed = self.changed_by(statement);
        // What may fail in it is a matter of `errors`.
        if self.can_choose && changed.is_empty() {
            return Ok(None);
        }
        if then.is_empty() && self.may_do_nothing(&otherwise) {
            return Ok(otherwise.into_iter().next().map(|it| it.kind));
        }
        let condition = self.choice((0, 1), &changed)?;
        Ok(Some(StatementKind::If(condition, then, otherwise)))
    }

    /// Whether statements are one that chooses whether to do anything, so that no other choice is needed.
    fn may_do_nothing(&self, statements: &[Statement]) -> bool {
        let [Statement { kind: StatementKind::If(condition, then, _), .. }] = statements else {
            return false;
        };
        then.is_empty() && self.choices.iter().any(|&choice| *condition == Expr::local(choice))
    }

    fn repeat(
        &mut self,
        statement: &Statement,
        condition: &Expr,
        body: &[Statement],
        left: &mut Vec<Statement>,
    ) -> Result<(), NeedsChoice> {
        if self.changed_by(statement).is_empty() && !self.assigns_known_local(body) {
            return Ok(());
        }
        if !self.sees(condition) {
            // A function might be left in the middle.
            return if self.can_choose { self.forget(statement, left) } else { Err(NeedsChoice) };
        }
        self.loops += 1;
        let body = self.block(body);
        self.loops -= 1;
        let kind = StatementKind::While(condition.clone(), body?);
        left.push(Statement { kind, span: statement.span });
        Ok(())
    }

    fn assigns_known_local(&self, body: &[Statement]) -> bool {
        let mut found = false;
        for statement in body {
            statement.walk(&mut |it| match &it.kind {
                StatementKind::Assign(Place { base: Base::Local(id), .. }, _)
                | StatementKind::Call(Some(Place { base: Base::Local(id), .. }), ..) => {
                    found |= !self.blind[id.index()];
                }
                StatementKind::Return(_) => found = true,
                _ => {}
            });
        }
        found
    }

    fn call(
        &mut self,
        statement: &Statement,
        place: Option<&Place>,
        (function, arguments): (FunctionId, &[Expr]),
        left: &mut Vec<Statement>,
    ) -> Result<(), NeedsChoice> {
        let place = place.filter(|place| self.keeps(place));
        let has_effects = !self.sight.kept_effects(function).is_empty();
        if place.is_none() && !has_effects {
            return Ok(());
        }
        let view = self.sight.functions[function.index()];
        let sees_result = place.is_none_or(|place| {
            view.result_is_exact && self.sight.sees_all(&self.blind, &place.indices)
        });
        if self.sees_call(function, arguments) && sees_result {
            let kind = StatementKind::Call(place.cloned(), function, arguments.to_vec());
            left.push(Statement { kind, span: statement.span });
            return Ok(());
        }
        if has_effects {
            self.forget(statement, left)?;
        }
        // What is forgotten includes the place.
        if let (false, Some(place)) = (has_effects, place) {
            let result = self.sight.network.functions[function].result.unwrap_or(Type::ANY);
            let assigned = self.store_any(place, (result.low, result.high))?;
            left.extend(assigned.map(|kind| Statement { kind, span: statement.span }));
        }
        Ok(())
    }

    fn leave(&mut self, value: Option<&Expr>) -> StatementKind {
        let value = value.map(|value| match self.sees(value) {
            true => value.clone(),
            false => {
                self.result_is_exact = false;
                // Nobody looks at it.
                Expr::Const(self.result.map_or(0, |ty| ty.low))
            }
        });
        StatementKind::Return(value)
    }

    /// The kept parts that a statement may change.
    fn changed_by(&self, statement: &Statement) -> Vec<Part> {
        let mut changed = BTreeSet::new();
        statement.walk(&mut |it| {
            self.sight.touches.statement(it, &mut |touch| {
                changed.extend(self.sight.kept_effect(touch));
            });
        });
        changed.into_iter().collect()
    }

    /// Whatever a statement changes may have any value after it.
    fn forget(
        &mut self,
        statement: &Statement,
        left: &mut Vec<Statement>,
    ) -> Result<(), NeedsChoice> {
        for part in self.changed_by(statement) {
            match part {
                Part::Variable(id) if self.sight.network.variables[id].dimensions.is_empty() => {
                    let Type { low, high, .. } = self.sight.network.variables[id].ty;
                    let kind = self.store_any(&Place::variable(id), (low, high))?;
                    left.extend(kind.map(|kind| Statement { kind, span: statement.span }));
                }
                _ if !self.can_choose => return Err(NeedsChoice),
                _ => self.excess.extend([part]),
            }
        }
        Ok(())
    }

    /// Stores any value of a range in a place.
    fn store_any(
        &mut self,
        place: &Place,
        range: (i32, i32),
    ) -> Result<Option<StatementKind>, NeedsChoice> {
        let Base::Variable(id) = place.base else { return Ok(None) };
        let (part, variable) = (Part::Variable(id), &self.sight.network.variables[id]);
        let value = self.choice(clipped(range, &variable.ty), &[part])?;
        let indices = self.indices(&place.indices, &variable.dimensions, part)?;
        Ok(Some(StatementKind::Assign(Place { base: place.base, indices }, value)))
    }

    // ---- messages ----

    /// What is left of a send.
    pub fn send(&mut self, send: &Send) -> Result<Exchange<Send>, NeedsChoice> {
        let candidates = self.sight.candidates(&send.channel);
        let Some((level, is_free)) = self.level(&send.channel, &candidates) else {
            return Ok(Exchange { exchange: None, is_free: true });
        };
        let channel = self.channel(&send.channel)?;
        let mut message = Vec::new();
        if level == Contents::Messages {
            for (position, field) in send.message.iter().enumerate() {
                let blamed = Part::Channel(candidates[0]);
                if send.sorted && !self.sees(field) {
                    self.excess.insert(blamed);
                }
                let ty = self.field_type(&candidates, position);
                let range = self.stored_range(field, &ty);
                message.push(self.or_choice(field, range, blamed)?);
            }
        }
        let sorted = send.sorted && level == Contents::Messages;
        let send = Send { channel, message, sorted, span: send.span };
        Ok(Exchange { exchange: Some(send), is_free })
    }

    /// What is left of a receive, and what is stored in the place of an unknown message.
    pub fn receive(
        &mut self,
        receive: &Receive,
    ) -> Result<(Exchange<Receive>, Vec<Statement>), NeedsChoice> {
        let candidates = self.sight.candidates(&receive.channel);
        let Some((level, is_free)) = self.level(&receive.channel, &candidates) else {
            let stores = self.store_unknown(receive, &candidates)?;
            return Ok((Exchange { exchange: None, is_free: true }, stores));
        };
        if level == Contents::Messages {
            let receive = self.receive_message(receive, &candidates)?;
            return Ok((Exchange { exchange: Some(receive), is_free }, Vec::new()));
        }
        let stores = self.store_unknown(receive, &candidates)?;
        let channel = self.channel(&receive.channel)?;
        let left = Receive { channel, message: Vec::new(), anywhere: false, ..receive.clone() };
        Ok((Exchange { exchange: Some(left), is_free }, stores))
    }

    fn receive_message(
        &mut self,
        receive: &Receive,
        candidates: &[network::ChannelId],
    ) -> Result<Receive, NeedsChoice> {
        let channel = self.channel(&receive.channel)?;
        let mut message = Vec::new();
        for field in &receive.message {
            message.push(match field {
                Field::Equal(value) if self.sees(value) => field.clone(),
                // Another message would be taken.
                Field::Equal(_) if receive.anywhere => {
                    self.excess.extend(candidates.iter().map(|&id| Part::Channel(id)));
                    Field::Any
                }
                Field::Store(place) if self.keeps(place) => {
                    if !self.sight.sees_all(&self.blind, &place.indices) {
                        self.excess.extend(part_of(place));
                    }
                    field.clone()
                }
                _ => Field::Any,
            });
        }
        Ok(Receive { channel, message, ..receive.clone() })
    }

    /// Kept places get any value that the fields of a message may have.
    fn store_unknown(
        &mut self,
        receive: &Receive,
        candidates: &[network::ChannelId],
    ) -> Result<Vec<Statement>, NeedsChoice> {
        let mut stores = Vec::new();
        for (position, field) in receive.message.iter().enumerate() {
            let Field::Store(place) = field else { continue };
            if !self.keeps(place) {
                continue;
            }
            let ty = self.field_type(candidates, position);
            let kind = self.store_any(place, (ty.low, ty.high))?;
            stores.extend(kind.map(|kind| Statement { kind, span: receive.span }));
        }
        Ok(stores)
    }

    /// What is known of the messages on a channel, and whether it may be a buffer that is dropped; none if
    /// it is one for sure.
    fn level(
        &mut self,
        channel: &ChannelRef,
        candidates: &[network::ChannelId],
    ) -> Option<(Contents, bool)> {
        let level = self.sight.contents(channel);
        // Which channel a value means is told by the value alone: all of them are treated alike.
        if let ([_, _, ..], ChannelRef::Value(_)) = (candidates, channel)
            && !self.sight.sees_channel(&self.blind, channel)
        {
            let kept = candidates.iter().filter(|id| self.sight.pattern.keeps(Part::Channel(**id)));
            self.excess.extend(kept.map(|&id| Part::Channel(id)));
        }
        let channels = &self.sight.network.channels;
        let is_buffer = |id: &network::ChannelId| crate::sight::has_buffer(&channels[*id].kind);
        let is_free = level == Contents::Nothing && candidates.iter().any(is_buffer);
        match level == Contents::Nothing && candidates.iter().all(is_buffer) {
            true => None,
            false => Some((level, is_free)),
        }
    }

    fn channel(&mut self, channel: &ChannelRef) -> Result<ChannelRef, NeedsChoice> {
        match channel {
            ChannelRef::Element(id, indices) => {
                let found = &self.sight.network.channels[*id];
                // Who moves together stays known, whatever it takes.
                let blamed = crate::sight::has_buffer(&found.kind).then_some(Part::Channel(*id));
                let indices = self.indices(indices, &found.dimensions, blamed)?;
                Ok(ChannelRef::Element(*id, indices))
            }
            ChannelRef::Value(value) => {
                let all = self.sight.network.channels.iter().map(|it| it.len()).sum::<usize>();
                let value = match self.sees(value) {
                    true => value.clone(),
                    false => self.choice((1, all as i32), &[])?,
                };
                Ok(ChannelRef::Value(value))
            }
        }
    }

    /// The type of a field of a message.
    fn field_type(&self, candidates: &[network::ChannelId], position: usize) -> Type {
        let mut range: Option<Type> = None;
        for &id in candidates {
            let network::ChannelKind::Buffered { fields, .. } =
                &self.sight.network.channels[id].kind
            else {
                continue;
            };
            let Some(&ty) = fields.get(position) else { continue };
            let widest = range.get_or_insert(ty);
            widest.low = widest.low.min(ty.low);
            widest.high = widest.high.max(ty.high);
        }
        range.unwrap_or(Type::ANY)
    }
}

fn part_of(place: &Place) -> Option<Part> {
    match place.base {
        Base::Variable(id) => Some(Part::Variable(id)),
        Base::Local(_) => None,
    }
}

/// The values of a range as a type stores them.
fn clipped((low, high): (i32, i32), ty: &Type) -> (i32, i32) {
    let is_inside = ty.contains(low) && ty.contains(high);
    match ty.overflow {
        _ if is_inside => (low, high),
        Overflow::Wrap => (ty.low, ty.high),
        // Values outside are errors, where the run ends.
        Overflow::Error => {
            let (least, most) = (low.max(ty.low), high.min(ty.high));
            if least <= most { (least, most) } else { (ty.low, ty.high) }
        }
    }
}
