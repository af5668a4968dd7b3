// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 276
// pan -c0 says errors: 7
// pan -d says flow: P 4 6; Q 6 10
// Messages that could be sent or received make a process enabled.
byte x;
chan q = [2] of { byte, byte };

active proctype P() {
	byte v;
	do :: q?1,v :: q??2,v :: q?<3,v> -> break od;
	q!1,2; q!!2,3
}

active proctype Q() {
	do :: q!1,2 :: q!2,1 :: q!3,3 :: x = 1 - x -> break od;
	if :: enabled(0) -> x = 3 :: !enabled(0) -> x = 4 fi;
	x = 0
}
