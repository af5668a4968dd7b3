// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY -DNOCOMP:
// pan -A -E -c0 says stored: 240
// pan -c0 says errors: 7
// pan -d says flow: A 5 6; B 7 8; C 7 10; D 7 8; E 5 8; init 3 3
// What keeps a process with a high priority from moving lets the others go on: `provided`, a full
// or empty channel, a `timeout` that has not come, a younger process that is not gone yet. An
// `else` is possible in its own process, whatever the others can do.
chan q = [1] of { byte };
byte x;
bool ok = true;

active proctype A() priority 5 provided (ok) {
	x = 1;
	ok = false;
	x = 2;
	do
	:: q?x
	:: x == 7 -> break
	od
}

active proctype B() priority 3 provided (!ok || x > 1) {
	x++;
	if
	:: x == 9 -> ok = true
	:: else -> q!1
	fi;
	q!2;
	x = 7
}

active proctype C() {
	if
	:: x == 2 -> x = 20
	:: else -> ok = true
	fi;
	{ q!7; x == 30 } unless { ok && empty(q) -> ok = true }
}

active proctype D() priority 4 provided (_priority == 4 || x == 7) {
	_priority = 2;
	do
	:: timeout -> x = 3; ok = true; q!7; break
	:: x == 20 -> x = 30
	od
}

active proctype E() {
end:	do
	:: x < 3 -> x++
	:: !ok -> ok = true
	:: q?x
	:: x == 30 -> x = 7; ok = false
	od
}

init priority 2 {
	timeout -> x++
}
