// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 360
// pan -c0 says errors: 6
// pan -d says flow: A 7 8; B 8 11; init 4 4
// Probes of a rendezvous channel: it is empty and never full, also as a parameter.
chan r = [0] of { byte };
chan b = [1] of { byte };
byte x;

active proctype A() {
	if
	:: full(r) -> x = 1; x = 2; x = 3
	:: nfull(r) -> x = 4
	fi;
	r!x
}

proctype B(chan c) {
	if
	:: full(c) -> x = x + 10; x = 0
	:: nfull(c) && empty(c) -> x = x + 20
	:: nempty(c) -> x = x + 30
	fi;
	if
	:: c!x
	:: r?x
	fi;
	assert(len(c) <= 1)
}

init { run B(r); run B(b); b?x }
