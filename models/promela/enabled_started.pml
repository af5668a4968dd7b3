// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 221
// pan -c0 says errors: 2
// pan -d says flow: Worker 3 3; init 8 10
// `enabled` about processes that start and end: 0 without a process.
byte x;

proctype Worker(byte n) { x == n; x = n + 1 }

init {
	byte i = 1;
	run Worker(0); run Worker(1);
	do
	:: i < 4 -> if :: enabled(i) -> x = x :: !enabled(i) -> x = 0 fi; i++
	:: i == 4 -> break
	od
}
