// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY -DNOCLAIM:
// pan -A -E -c0 says stored: 8
// pan -c0 says errors: 3
// pan -d says flow: P 7 9
// Without -DSAFETY -DNOCLAIM, pan -a -N NAME reports an error for
// violated: not_at_first last ltl_0 released untruth unsatisfiable
// and none for
// satisfied: at_first at_first_and_later never_seven order stays ltl_1 truth set
// It takes a search for acceptance cycles to find out, with which pan finds no error, about
// cycles: gone
// Formulas about the first state and about the last one, which lasts for ever; formulas without a
// name. The invalid end of every run does not count while a formula is checked.
byte x = 1;
bool p, never_set;
chan nobody = [0] of { bit };

active proctype P() {
	x = 2; x = 3;
	if
	:: p = true; x = 4
	:: x = 5; x = 4
	:: x = 6
	fi;
	nobody!0
}

ltl at_first { x == 1 }
ltl not_at_first { x > 1 }
ltl at_first_and_later { x == 1 && [] (x <= 6) }
ltl last { [] (x < 6) }
ltl never_seven { [] (x < 7) }
ltl order { (x < 3) W (x == 3) }
ltl stays { [] (x == 4 -> [] (x == 4)) }
ltl { [] (x == 4 -> p) }
ltl released { p V (x < 5) }
ltl { !(x < 3 U p) }
ltl truth { true }
ltl untruth { false }
ltl unsatisfiable { [] p && <> !p }
ltl set { [] !never_set }
ltl gone { <> (x >= 4) }
