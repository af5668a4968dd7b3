//! Completions and manual pages tell of every command and option.

mod support;

use support::Folder;

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = Folder::new().run(&["completions", shell]).code(0);
        run.says("vizsla").says("check").says("query-index").says("astar");
    }
    Folder::new().run(&["completions", "tcsh"]).code(2).complains("bash");
}

#[test]
fn a_page_for_the_program_and_for_every_command() {
    let run = Folder::new().run(&["man"]).code(0);
    run.says(".TH vizsla 1").says("vizsla\\-check(1)").says("Exit codes");
    for command in ["check", "info", "convert", "replay", "completions", "man"] {
        let run = Folder::new().run(&["man", command]).code(0);
        run.says(&format!(".TH vizsla-{command} 1")).says("SYNOPSIS");
    }
    Folder::new().run(&["man", "chek"]).code(2).complains("chek");
}
