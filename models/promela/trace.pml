// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 290
// pan -c0 says errors: 0
// pan -d says flow: P 10 12; Q 3 3
// A `trace` that every run keeps: fields that do not matter, a value cut to its field, events in
// atomic sequences and in a `d_step`. Its state is part of the state.
mtype = { a, b };
chan q = [2] of { mtype, byte };
chan r = [1] of { byte };
byte x;

trace {
end:	do
	:: q!a,_; q?a,_
	:: q!b,2; q!b,3; q?b,2; if :: q?b,3 :: q?b,4 fi
	:: r!3; if :: r?3; r!44 :: r?4 fi
	od
}

active proctype P() {
	byte v; mtype m; short s;
	do
	:: q!a,x; q?m,v
	:: atomic { len(r) == 0 -> r!3 }; r?v; s = 300; r!s; break
	:: q!b,2; q!b,3; d_step { q?m,v; x = (x + 1) % 3 }; q?b,eval(v + 1)
	od
}
active proctype Q() { x = 1; x = 2 }
