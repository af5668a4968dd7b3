// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 82
// pan -c0 says errors: 0
// pan -d says flow: A 12 13; B 2 2
// `for` over the messages of a channel takes each and puts it back.
typedef M { byte a; bit b };
chan q = [3] of { M };
M m;
byte sum;

active proctype A() {
	m.a = 1; q!m; m.a = 2; q!m;
	for (m in q) { sum = sum + m.a };
	printf("%d\n", sum)
}

active proctype B() { M mine; q?mine }
