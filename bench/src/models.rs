//! Models of growing size, written as UPPAAL text.

use std::fmt::Write;

/// Fischer's mutual exclusion with `n` processes.
pub fn fischer(n: usize) -> String {
    format!(
        "const int N = {n};
const int K = 10;
typedef int[1, N] id_t;
int[0, N] id;

process P(const id_t pid) {{
    clock x;
    state idle, request {{ x <= K }}, wait, critical;
    init idle;
    trans
        idle -> request {{ guard id == 0; assign x = 0; }},
        request -> wait {{ guard x <= K; assign x = 0, id = pid; }},
        wait -> request {{ guard id == 0; assign x = 0; }},
        wait -> critical {{ guard x > K && id == pid; }},
        critical -> idle {{ assign id = 0; }};
}}
system P;
"
    )
}

/// Stations that share a medium and detect collisions (CSMA/CD), `n` of them. The bus tells the
/// stations of a collision one after the other, without delay.
pub fn csma_cd(n: usize) -> String {
    format!(
        "const int N = {n};
const int SLOT = 26;        // the time a signal takes there and back
const int LENGTH = 808;     // the time a message takes
typedef int[1, N] id_t;
chan begin, busy, end, collision[id_t];
int[1, N + 1] next = 1;

process Bus() {{
    clock x;
    state idle, active, crash {{ x < SLOT }}, telling;
    commit telling;
    init idle;
    trans
        idle -> active {{ sync begin?; assign x = 0; }},
        active -> active {{ guard x >= SLOT; sync busy!; }},
        active -> idle {{ sync end?; assign x = 0; }},
        active -> crash {{ guard x < SLOT; sync begin?; assign x = 0; }},
        crash -> telling {{ guard x < SLOT; assign next = 1; }},
        telling -> telling {{ guard next <= N; sync collision[next]!; assign next++; }},
        telling -> idle {{ guard next == N + 1; assign next = 1, x = 0; }};
}}

process Station(const id_t id) {{
    clock x;
    state wait, sending {{ x <= LENGTH }}, retry {{ x < 2 * SLOT }};
    init wait;
    trans
        wait -> sending {{ sync begin!; assign x = 0; }},
        wait -> retry {{ sync busy?; assign x = 0; }},
        wait -> wait {{ sync collision[id]?; assign x = 0; }},
        wait -> retry {{ sync collision[id]?; assign x = 0; }},
        sending -> wait {{ guard x == LENGTH; sync end!; assign x = 0; }},
        sending -> retry {{ guard x < 2 * SLOT; sync collision[id]?; assign x = 0; }},
        retry -> sending {{ guard x < 2 * SLOT; sync begin!; assign x = 0; }},
        retry -> retry {{ guard x < 2 * SLOT; sync collision[id]?; assign x = 0; }};
}}
system Bus, Station;
"
    )
}

/// A ring of `n` stations that pass a token, with synchronous and asynchronous messages (FDDI).
pub fn fddi(n: usize) -> String {
    let mut text = format!(
        "const int N = {n};
const int TARGET = {target};     // target rotation time of the token
const int SYNC = 20;       // time for synchronous messages
typedef int[0, N - 1] id_t;
chan take[id_t], release[id_t];

process Station(const id_t id) {{
    clock rotation, first, second;
    state
        idle, late {{ rotation <= SYNC }}, early {{ rotation <= SYNC }},
        extra {{ first <= TARGET + SYNC }},
        idle2, late2 {{ rotation <= SYNC }}, early2 {{ rotation <= SYNC }},
        extra2 {{ second <= TARGET + SYNC }};
    init idle;
    trans
        idle -> late {{ guard rotation >= TARGET; sync take[id]?; assign rotation = 0, second = 0; }},
        idle -> early {{ guard rotation < TARGET; sync take[id]?; assign rotation = 0, second = 0; }},
        late -> idle2 {{ guard rotation == SYNC; sync release[id]!; }},
        early -> extra {{ guard rotation == SYNC; }},
        extra -> idle2 {{ sync release[id]!; }},
        idle2 -> late2 {{ guard rotation >= TARGET; sync take[id]?; assign rotation = 0, first = 0; }},
        idle2 -> early2 {{ guard rotation < TARGET; sync take[id]?; assign rotation = 0, first = 0; }},
        late2 -> idle {{ guard rotation == SYNC; sync release[id]!; }},
        early2 -> extra2 {{ guard rotation == SYNC; }},
        extra2 -> idle {{ sync release[id]!; }};
}}

process Ring() {{
    clock t;
    state
",
        target = 50 * n
    );
    let states: Vec<String> =
        (0..n).map(|i| format!("        to{i} {{ t <= 0 }}, at{i}")).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{};\n    init to0;\n    trans", states.join(",\n"));
    let steps: Vec<String> = (0..n)
        .map(|i| {
            let next = (i + 1) % n;
            format!(
                "        to{i} -> at{i} {{ guard t == 0; sync take[{i}]!; }},
        at{i} -> to{next} {{ sync release[{i}]?; assign t = 0; }}"
            )
        })
        .collect();
    let _ = writeln!(text, "{};\n}}\nsystem Ring, Station;", steps.join(",\n"));
    text
}
