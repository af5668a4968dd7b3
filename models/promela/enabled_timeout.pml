// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 29
// pan -c0 says errors: 0
// pan -d says flow: P 5 5; Q 3 4
// A process that waits for `timeout` is enabled when nothing else is possible.
byte x;

active proctype P() { timeout -> x = 1; timeout -> x = 2 }
active proctype Q() { end: do :: enabled(0) -> x = 3 - x :: x == 1 -> break od }
