// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 50
// pan -c0 says errors: 0
// pan -d says flow: P 6 9
// `!!` compares the fields before they are cut: 2 is cut to 0 but goes behind 1.
chan q = [3] of { bit, byte };
byte x, y;
active proctype P() {
	int v;
	q!!1, 3;
	do
	:: v < 6 -> v++
	:: break
	od;
	q!!v, 257;
	if
	:: q?x, y
	:: q??1, y
	:: q??0, y
	fi
}
