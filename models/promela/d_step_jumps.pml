// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 147
// pan -c0 says errors: 10
// pan -d says flow: A 4 6; B 2 4
// Jumps within deterministic steps: back, forward, into an option and out of loops.
byte x, y, z;
chan q = [2] of { byte };
chan meet = [0] of { byte };

inline halve(a) {
	y = 0;
again:	if
	:: a > 1 -> a = a / 2; y++; goto again
	:: else
	fi
}

active proctype A() {
	byte n;
	d_step { x = 1; goto last; x = 2; last: z = x };
	d_step { x = 200; halve(x); x = x + 130; halve(x) };
	do
	:: d_step {
		x < 9 -> n = 0;
		goto inner;
		do
		:: n < 2 -> n++; x++; if :: x == 7 -> goto out :: else fi
		:: else -> if :: n == 5 -> break; n = 9 :: n < 5 ->
inner:			n++; if :: n > 3 -> n = 5 :: n == 3 -> goto out :: else fi fi
		od;
		z = n;
out:		skip
	}
	:: d_step { meet?x; if :: x > 3 && nfull(q) -> q!x :: else goto low fi; z = 3; goto done; low: z = 4; done: y = z }
	:: d_step { { full(q) -> q?z; q?z; y = z }; n = 0 } break
	od
}

active proctype B() { do :: meet!2 :: meet!8 :: z == 4 -> break od }
