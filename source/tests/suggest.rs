//! Which name is most like another.

use source::nearest;

#[test]
fn letters_may_be_missing_too_many_wrong_or_swapped() {
    let known = ["counter", "channel", "turn"];
    for typo in ["countr", "countter", "cauntor", "coutner", "COUNTER"] {
        assert_eq!(nearest(typo, known), Some("counter"), "{typo}");
    }
    assert_eq!(nearest("tunr", known), Some("turn"));
}

#[test]
fn what_is_too_different_is_not_alike() {
    assert_eq!(nearest("x", ["y"]), None);
    assert_eq!(nearest("turn", ["tick", "total"]), None);
    assert_eq!(nearest(&"a".repeat(100), ["a"]), None);
}

#[test]
fn the_nearest_wins_whatever_the_order() {
    assert_eq!(nearest("flag0", ["flags", "flag1", "Flag0"]), Some("Flag0"));
    assert_eq!(nearest("flag2", ["flag1", "flag0"]), Some("flag0"));
    assert_eq!(nearest("flag2", ["flag0", "flag1"]), Some("flag0"));
}
