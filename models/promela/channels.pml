// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 14
// pan -c0 says errors: 0
// pan -d says flow: Put 4 4; Take 10 13
// Sorted sends, random receives, polls, copies, eval and probes.
chan q = [3] of { byte, bit };
byte n, a;
bit b;

active proctype Put() { q!!2,1; q!!0,0; q!!1,1 }

active proctype Take() {
	q??1,b;
	q?<a,b>;
	q?a,_;
	if
	:: q?[eval(a),1] -> n = 1
	:: q??[2] -> n = 2
	:: empty(q) -> n = 3
	:: nfull(q) -> n = 4
	fi;
	n = len(q)
}
