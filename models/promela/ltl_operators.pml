// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY -DNOCLAIM:
// pan -A -E -c0 says stored: 20
// pan -c0 says errors: 0
// pan -d says flow: Lift 5 8
// Without -DSAFETY -DNOCLAIM, pan -a -N NAME reports an error for
// violated: no_invariant no_weak release_word no_until no_equivalence twice bad_index early early_too
// and none for
// satisfied: invariant weak weak_word release not_until implies_word equivalence until_or_always both index
// It takes a search for acceptance cycles to find out, with which pan finds no error but in the
// last of them, about
// cycles: until response again not_for_ever
// The operators, in a run that never ends. What comes last needs acceptance cycles.
#define low (x < 2)
#define high (x > 2)
byte x;
bool up = true;
byte room[3];

active proctype Lift() {
	do
	:: up && x < 4 -> x++
	:: up && x == 4 -> up = false
	:: !up && x > 0 -> x--
	:: !up && x == 0 -> up = true
	od
}

ltl invariant { always (x <= 4) }
ltl no_invariant { [] (x < 4) }
ltl weak { low W (x == 2) }
ltl weak_word { [] (high -> (high weakuntil x == 2)) }
ltl no_weak { [] (high -> (high && up W !up && x == 3)) }
ltl release { (x == 1) V low }
ltl release_word { (x == 2) release low }
ltl not_until { !(low U high) }
ltl no_until { !(low || x == 2 U high) }
ltl implies_word { [] (x == 4 implies high) }
ltl equivalence { [] (x == 4 <-> x > 3) }
ltl no_equivalence { [] (up equivalent (x < 4)) }
ltl until_or_always { (x < 5 U x == 5) || [] (x < 5) }
ltl both { [] (up -> x <= 4) && [] (!up -> x >= 0) && (low W !low) }
ltl twice { [] (x == 4 -> [] (x == 0 -> [] (x <= 3))) }
ltl index { [] (x < 3 -> room[x] == 0) }
ltl bad_index { [] (x < 5 -> room[x] == 0) }
ltl early { (x < 3) U (x == 4) }
ltl early_too { [] (x < 4) && <> (x == 7) }
ltl until { (x < 4) U (x == 4) }
ltl response { [] (x == 4 -> <> (x == 0)) }
ltl again { []<> (x == 4) }
ltl not_for_ever { <>[] (x > 0) }
