//! The networks of the worked examples in docs/algorithms.md, section 6.

/// Two processes take a step each and then meet.
pub const X2: &str = "network 1
chan go : handshake
process A { location a0; location a1; location a2; init a0;
  edge a0 -> a1; edge a1 -> a2 { send go; } }
process B { location b0; location b1; location b2; init b0;
  edge b0 -> b1; edge b1 -> b2 { receive go; } }
";

/// Processes that X2+ and X2c have beside those of X2.
pub const OTHERS: &str =
    "process C { location c0; location c1; init c0; edge c0 -> c1; edge c1 -> c0; }
process D { location d0; location d1; init d0; edge d0 -> d1; }
";

/// Two clocks: the last edge needs more time than one round takes.
pub const X3: &str = "network 1
clock x
clock y
process P {
  location l0 { invariant x <= 2; }
  location l1 { invariant x <= 1; }
  location l2;
  init l0;
  edge l0 -> l1 { when x >= 1; do { reset x = 0; } }
  edge l1 -> l2 { when y >= 4; }
  edge l1 -> l0 { when x >= 1; do { reset x = 0; } }
}
property \"x3\" reachable P at l2
";

/// Two processes can set what a third one waits for; a fourth one goes its own way.
pub const X4: &str = "network 1
var x : int[0, 1]
process A { location l0; location l1; init l0; edge l0 -> l1 { do { x = 1; } } }
process A2 { location k0; location k1; init k0; edge k0 -> k1 { do { x = 1; } } }
process B { location m0; location m1; init m0; edge m0 -> m1 { when x == 1; } }
process C { location c0; location c1; location c2; location c3; init c0;
  edge c0 -> c1; edge c1 -> c2; edge c2 -> c3; }
property \"x4\" reachable B at m1 && C at c3
";

/// A takes two steps, the second one when B has set y.
pub const X6: &str = "network 1
var y : int[0, 1]
process A { location a0; location a1; location a2; init a0;
  edge a0 -> a1; edge a1 -> a2 { when y == 1; } }
process B { location b0; location b1; init b0; edge b0 -> b1 { do { y = 1; } } }
property \"x6\" reachable A at a2
";
