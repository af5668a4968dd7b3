//! Models with tokens exchanged: loading never panics, and what it accepts is well formed.
//!
//! The seed is fixed and printed on failure; set `FUZZ_SEED` and `FUZZ_ROUNDS` to search further.

mod lowering;

use lowering::*;
use std::time::Duration;
use testing::{Busy, Numbers, setting};

const MODEL: &str = "const int N = 3; typedef int[0,N-1] id_t; typedef scalar[2] set_t; typedef int[1,2] two_t;
typedef struct { int x; bool y[2]; } S; S s[2] = { {1, {true, false}}, {2, {false, true}} }; S t; set_t w; int q[set_t], u[two_t];
const int table[2][3] = { {1,2,3}, {4,5,6} }; int a[4], i, j; bool b; meta int m; clock c[2], x = 3, y;
chan go[N]; urgent broadcast chan bc; chan priority go[0] < default < bc, go[2]; int big[50], big2[50];
int add(int v[4]) { int k, r; for (k = 0; k < 4; k++) r += v[k]; return r; }
int set(int v[4]) { v[0] = 7; return v[0] + v[1]; }
void swap(int &p, int &q) { int h = p; p = q; q = h; }
void mix() { int l[3] = {3, 1, 2}; swap(l[0], l[i]); a[0] = l[0]; swap(a[1], a[j]); do { j--; if (j < 2) return; } while (j > 0); }
S make(int n) { S r; r.x = n; if (n > 3) return t; else if (n == 2) { r.y[1] = true; } return r; }
void put(clock &z, int n) { z = n; for (k : two_t) u[k] = n; assert n >= 0; }
int inc() { i++; return i; }
bool pure(id_t k) { return a[k] > 0 && exists (q : id_t) a[q] == k; }
process P(const id_t me, int &r, clock &w, int loc) { int l = me + 1; clock z; int f(int k) { return k + l + me; }
  state A { z <= 5 && (forall (i : int[0,1]) c[i] <= 3) && (b || w < 4) }, B { z' == 0 && x - y < 3 }, C; branchpoint D; urgent A; commit B; init A;
  trans A -> B { select q : id_t; guard pure(q) && 5 >= z - w && 3 + w > me && (me == 0 || z > 2); sync go[q]!; assign l = f(q), z = 0, w = me * 2; },
  A -> D { guard i == 1; }, D -> B { assign i = 2; probability 3; }, D -> A { },
  B -> A { guard s[0] == t && add(a) > 2; sync bc?; assign s[1] = t, big = big2, a[i++] = j = 3, b = i++ < 3 && inc() > 2, t = make(2), mix(), r += 2, loc++, put(c[1], 4), i = set(a), a[add(a)] = inc() + i, b ? i++ : j--, i = (sum (k : id_t) a[k]) <? 4; }; }
process Q(const id_t k, const bool g) { state U; init U; trans U -> U { sync go[k]?; assign m = table[g][k]; }; }
process R(const set_t k) { state U; init U; trans U -> U { guard w == k; sync bc!; assign q[k] = 1, w = k; }; }
P1 = P(1, i, x, 4); V(const id_t m) = P(m, a[2], c[0], 9); system P1, Q, R < V;";

const QUERIES: [&str; 4] = [
    "E<> (forall (i : id_t) Q(i, 1).U) && P1.z > 3 && not (x == 3 or P1.l == 2)",
    "A[] exists (i : id_t) V(i).A imply (x - y != 3)",
    "E<> P1.f(2) == 3 && make(1).y[1] && make(2) == t && (x > 3) == b",
    "A[] not deadlock or (sum (i : id_t) V(i).l) <= 3 and forall (i : int[0,1]) c[i] < 2",
];

/// Words and operators of a text, each with the space after it.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    for character in text.chars() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if character.is_whitespace() => last.push(character),
            Some(last) if word(character) && last.chars().all(word) => last.push(character),
            Some(last)
                if "=<>&|+-?".contains(character)
                    && last.chars().all(|c| "=<>&|+-".contains(c)) =>
            {
                last.push(character);
            }
            _ => tokens.push(character.to_string()),
        }
    }
    tokens
}

/// The token with others of its kind exchanged: names for names, numbers for numbers.
fn exchange(tokens: &[String], random: &mut Numbers) -> Vec<String> {
    let kind = |token: &str| {
        let first = token.chars().next().unwrap_or(' ');
        (first.is_alphabetic(), first.is_numeric(), "+-*/%<>=&|".contains(first))
    };
    let mut exchanged = tokens.to_vec();
    let at = random.below(exchanged.len());
    for _ in 0..50 {
        let other = random.below(exchanged.len());
        if kind(&exchanged[at]) == kind(&exchanged[other]) && exchanged[at] != exchanged[other] {
            exchanged[at] = exchanged[other].clone();
            break;
        }
    }
    exchanged
}

fn damage(tokens: &[String], random: &mut Numbers) -> Vec<String> {
    let mut damaged = tokens.to_vec();
    for _ in 0..1 + random.below(3) {
        let (at, other) = (random.below(damaged.len()), random.below(damaged.len()));
        match random.below(6) {
            0 => {
                damaged.remove(at);
            }
            1 => damaged.swap(at, other),
            2 => damaged.insert(at, damaged[other].clone()),
            _ => damaged[at] = damaged[other].clone(),
        }
    }
    damaged
}

#[test]
fn damaged_models_never_panic() {
    assert!(
        load_with(MODEL, &QUERIES).network.is_some(),
        "{:?}",
        messages(&load_with(MODEL, &QUERIES).diagnostics)
    );
    let (first, rounds) = (setting("FUZZ_SEED", 1), setting("FUZZ_ROUNDS", 2500));
    let (model, mut accepted) = (tokens(MODEL), 0);
    for seed in first..first + rounds {
        let mut random = Numbers::new(seed);
        let query = tokens(QUERIES[random.below(4)]);
        let (text, query) = match seed % 4 {
            0 => (damage(&model, &mut random), query),
            1 => (model.clone(), exchange(&query, &mut random)),
            _ => (exchange(&model, &mut random), query),
        };
        let (text, query) = (text.concat(), query.concat());
        let outcome = std::panic::catch_unwind(|| {
            let busy = Busy::start();
            let loaded = load_with(&text, &[&query]);
            assert!(busy.elapsed() < Duration::from_secs(60), "took {:?}", busy.elapsed());
            // A malformed network is refused, too, but these models give no reason for one.
            let found = messages(&loaded.diagnostics);
            assert!(!found.iter().any(|it| it.contains("cannot be lowered")), "{found:?}");
            let refused = loaded.diagnostics.iter().any(|it| it.is_error());
            assert_eq!(loaded.network.is_none(), refused);
            loaded.network.map(|network| assert_eq!(network::verify(&network), []))
        });
        match outcome {
            Ok(network) => accepted += usize::from(network.is_some()),
            Err(_) => panic!("seed {seed}\n{text}\n{query}"),
        }
    }
    println!("{rounds} models, {accepted} accepted");
    assert!(accepted > 0, "no model survived the damage");
}
