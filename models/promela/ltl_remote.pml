// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY -DNOCLAIM:
// pan -A -E -c0 says stored: 1891
// pan -c0 says errors: 2
// pan -d says flow: Child 3 3; Main 4 4; User 7 8
// Without -DSAFETY -DNOCLAIM, pan -a -N NAME reports an error for
// violated: both_want one_visit child_late child_done waits_longer
// and none for
// satisfied: exclusion visits turn_first stay_inside child waits
// Formulas that look into processes: at their labels and at their variables, also before they are
// started and when they are gone. Who comes second enters only behind the first.
bool wants[2];
byte turn;

active [2] proctype User() {
	byte visits;
again:
	wants[_pid] = true; turn = 1 - _pid;
	(!wants[1 - _pid] || turn == _pid);
inside:
	visits++;
	wants[_pid] = false;
	if :: visits < 2 -> goto again :: else fi
}

proctype Child(byte given) {
	byte kept;
	kept = given;
done:
	skip
}

active proctype Main() {
	byte k;
wait:
	k == 0 && wants[0] -> run Child(7);
	k = 1
}

ltl exclusion { [] !(User[0]@inside && User[1]@inside) }
ltl both_want { [] !(wants[0] && wants[1]) }
ltl visits { [] (User[0]:visits <= 2 && User[1]:visits <= 2) }
ltl one_visit { [] (User[1]:visits < 2) }
ltl turn_first { !User[0]@inside W turn == 1 }
ltl stay_inside { [] (User[0]@inside -> (wants[0] W User[0]:visits > 0)) }
ltl child_late { Child[3]:kept == 0 W (Main:k == 1) }
ltl child { [] (Child[3]:kept == 0 || Child[3]:kept == 7) }
ltl child_done { [] !(Child[3]@done && Main:k == 1) }
ltl waits { Main@wait W wants[0] }
ltl waits_longer { Main@wait W User[0]@inside }
