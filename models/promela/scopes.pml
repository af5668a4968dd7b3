// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 17
// pan -c0 says errors: 0
// pan -d says flow: P 18 19
// Names belong to their braces; inlines are blocks; declarations behind statements are steps.
byte g;
inline twice(v) { byte l = v; v = l + l; goto out; out: v++ }
inline next(v) { return v + 1 }

active proctype P() {
	byte i = 2;
	twice(g); twice(i);
	g = next(i);
	{ byte k = 5; g = k; { byte h; h = i } };
	{ int k = 6; i = k };
	if :: skip; skip; skip; g = i :: i == 0 -> skip; skip fi
}
