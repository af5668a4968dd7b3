// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 47
// pan -c0 says errors: 0
// pan -d says flow: Other 3 4; Receiver 7 7; Sender 5 5
// A rendezvous hands control over from one atomic sequence to another.
byte g;
chan c = [0] of { byte };

active proctype Sender() { atomic { g = 1; c!1; g = 2 }; g = 3 }

active proctype Receiver() {
	byte v;
	atomic { c?v; g = 4; v = 2; g = 5 };
	atomic { g == 3 -> v = 3 }
}

active proctype Other() { byte k; do :: k < 3 -> k++ :: else -> break od }
