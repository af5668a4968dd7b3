// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 2455
// pan -c0 says errors: 0
// pan -d says flow: P 5 9; Q 3 4; R 4 7
// `for` and `select` before an `unless` have their first assignment outside of it.
byte x, y;

active proctype P() { for (x : 1 .. 3) { skip } unless { y == 6 } }
active proctype Q() { do :: y < 7 -> y++ :: else -> break od }
active proctype R() { byte k; select (k : 1 .. y) unless { y == 6 } }
