//! Messages with their places, text in and text out.

use source::SourceMap;
use uppaal::ast::QueryKind;

/// One line per diagnostic: `line:column-endcolumn severity: message`.
fn shown(sources: &SourceMap, diagnostics: &[source::Diagnostic]) -> String {
    let line = |it: &source::Diagnostic| {
        let place = sources.resolve(it.span).unwrap();
        let kind = if it.is_error() { "error" } else { "warning" };
        format!("{}:{}-{} {kind}: {}\n", place.line, place.column, place.end_column, it.message)
    };
    diagnostics.iter().map(line).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let parsed = uppaal::parse("model", text.as_bytes());
    let mut found = shown(&parsed.sources, &parsed.diagnostics);
    for query in &parsed.model.queries {
        if let QueryKind::Mistaken(mistakes) = &query.kind {
            found.push_str(&shown(&parsed.sources, mistakes));
        }
    }
    let found: Vec<&str> = found.lines().collect();
    assert_eq!(found, expected, "in:\n{text}");
}

/// A declaration in front of a minimal system.
#[track_caller]
fn check_declaration(text: &str, expected: &[&str]) {
    let model = format!("{text}\nprocess P() {{ state A; init A; }}\nsystem P;");
    check(&model, expected);
}

/// The labels of an edge from A to B.
#[track_caller]
fn check_edge(labels: &str, expected: &[&str]) {
    let model =
        format!("process P() {{ state A, B; init A; trans A -> B {{\n{labels}\n}}; }}\nsystem P;");
    check(&model, expected);
}

/// The content of the `nta` element.
#[track_caller]
fn check_xml(content: &str, expected: &[&str]) {
    check(&format!("<nta>\n{content}\n</nta>"), expected);
}

#[test]
fn mistakes_in_declarations() {
    check_declaration("int x y;", &["1:7-8 error: missing `,` between `x` and `y`"]);
    check_declaration("int x = ;", &["1:9-10 error: expected an expression, found `;`"]);
    check_declaration("int a[];", &["1:7-8 error: the size of the array is missing"]);
    check_declaration("int[3] a;", &["1:6-7 error: a bounded integer needs two bounds"]);
    check_declaration(
        "const int N = 3\nclock x;",
        &["1:16-16 error: expected `;` after the declaration of `N`, found `clock`"],
    );
    check_declaration("int 3x;", &["1:5-7 error: `3x` is neither a number nor a name"]);
    check_declaration("int x = 2147483648;", &["1:9-19 error: the number 2147483648 is too large"]);
    check_declaration(
        "int while = 3;",
        &["1:5-10 error: expected the name of a variable, found the reserved word `while`"],
    );
    check_declaration(
        "struct { int a } s;",
        &["1:16-17 error: expected `,` or `;` after the name, found `}`"],
    );
    check_declaration(
        "int f(int a, b) { return a; }",
        &["1:14-15 error: the parameter `b` has no type"],
    );
    check_declaration("int a[2] = { 1 2 };", &["1:16-17 error: missing `,` between `1` and `2`"]);
}

#[test]
fn constructs_refused_by_name() {
    check_declaration(
        "import \"libx.so\" { int f(int a); };\nint x",
        &[
            "1:1-7 error: not supported: external functions (`import`)",
            "2:6-6 error: expected `;` after the declaration of `x`, found `process`",
        ],
    );
    check_declaration(
        "dynamic T(int a);",
        &["1:1-8 error: not supported: dynamic templates (`dynamic`)"],
    );
    check_declaration(
        "before_update { x = 1 }\nafter_update { x = 2 }",
        &[
            "1:1-14 error: not supported: `before_update`",
            "2:1-13 error: not supported: `after_update`",
        ],
    );
    check_xml(
        "<lsc><name>L</name></lsc>\n<system>system P;</system>",
        &["2:1-6 error: not supported: live sequence charts (`<lsc>`)"],
    );
}

#[test]
fn mistakes_in_statements_are_all_found() {
    check_declaration(
        "void f() {\n  int i;\n  for (int j = 0; j < 3; j++) i = 1;\n  if (i) { return 1 }\n  i = = 2;\n  else i = 3;\n  i = 4\n}",
        &[
            "3:8-11 error: a variable cannot be declared inside `for (...)`",
            "4:21-22 error: expected `;` after the returned value, found `}`",
            "5:7-8 error: expected an expression, found `=`",
            "6:3-7 error: `else` without an `if` before it",
            "7:8-8 error: expected `;` after the statement, found `}`",
        ],
    );
    check(
        "void f() { if (1) { \nprocess P() { state A; init A; }\nsystem P;",
        &["1:10-11 error: this `{` is never closed", "1:19-20 error: this `{` is never closed"],
    );
}

#[test]
fn mistakes_in_processes_are_all_found() {
    check(
        "process P() {\nstate A { x <= 3 y }, B;\ninit C;\ntrans A -> B { guard x > ; sync c!; assign x = 1 y = 2; },\nB -> A { guar x; },\n-> Z { };\n}\nsystem P Q;",
        &[
            "2:18-19 error: expected `}` after the invariant, found `y`",
            "3:6-7 error: there is no location named `C` in this process",
            "4:26-27 error: expected an expression, found `;`",
            "4:50-51 error: missing `,` between `1` and `y`",
            "5:10-14 error: expected `select`, `guard`, `sync`, `assign`, `probability` or `}`, found `guar`",
            "6:4-5 error: there is no location named `Z` in this process",
            "8:10-11 error: missing `,` between `P` and `Q`",
        ],
    );
    check_edge("guard x > 1; guard y;", &["2:14-19 error: this edge has a second `guard`"]);
    check(
        "process P() { state A; }\nsystem P;",
        &["1:9-10 error: this process has no initial location"],
    );
    check("process P() { state A; init A; }\n", &["2:1-1 error: there is no `system` line"]);
    check(
        "process P() { state A; init A;\nsystem P;",
        &["1:13-14 error: the body of this process is never closed"],
    );
}

#[test]
fn columns_count_characters_and_see_through_escapes() {
    check_xml(
        "<declaration>/* é */ int x = 1 &lt; 2 &amp;&amp; ;\n<![CDATA[bool b = x < ;]]> chan c</declaration><system>system P;</system>",
        &[
            "2:50-51 error: expected an expression, found `;`",
            "3:23-24 error: expected an expression, found `;`",
            "3:34-34 error: expected `;` after the declaration of `c`, found the end of the text",
        ],
    );
    check_xml(
        "<queries><query><formula>E&lt;&gt; x &amp;&amp;</formula></query></queries><system>system P;</system>",
        &["2:48-48 error: expected an expression, found the end of the text"],
    );
    check_xml(
        "<declaration>int x = &lt;3;</declaration><system>system P;</system>",
        &["2:22-26 error: expected an expression, found `<`"],
    );
    check_xml(
        "<declaration>int x;\r\nint y = ;\r\n</declaration><system>system P;</system>",
        &["3:9-10 error: expected an expression, found `;`"],
    );
    check_xml(
        "<declaration>int x = <!-- one\n--> ;</declaration><system>system P;</system>",
        &["3:5-6 error: expected an expression, found `;`"],
    );
}

#[test]
fn the_place_names_its_element() {
    let model = "<nta><template><name>T</name><location id=\"a\"><name>L</name></location>\
                 <location id=\"b\"/><init ref=\"a\"/><transition><source ref=\"a\"/>\
                 <target ref=\"b\"/><label kind=\"guard\">x &gt;</label></transition></template>\
                 <system>system T;</system></nta>";
    let parsed = uppaal::parse("m.xml", model.as_bytes());
    let place = parsed.sources.resolve(parsed.diagnostics[0].span).unwrap();
    let within = place.within.unwrap();
    assert_eq!(within, "template \"T\", guard of edge L -> _b");
    assert_eq!((place.path.as_str(), place.line), ("m.xml", 1));
    assert_eq!(parsed.diagnostics.len(), 1);
}

#[test]
fn mistakes_in_the_structure_of_xml() {
    check_xml(
        "<template><name>T</name>\n<location id=\"a\"/>\n<location id=\"a\"/>\n<location/>\n<init ref=\"z\"/>\n<transition><source ref=\"a\"/><target ref=\"q\"/></transition>\n<transition><source ref=\"a\"/></transition>\n</template><system>system T;</system>",
        &[
            "4:1-19 warning: the id `a` is used twice in this template; edges refer to the last one",
            "5:1-12 error: this location has no `id`",
            "6:1-16 error: there is no location with the id `z`",
            "7:30-47 error: there is no location or branchpoint with the id `q`",
            "8:1-13 error: this transition has no `<target>`",
        ],
    );
    check_xml(
        "<template><name>T</name><location id=\"a\"/></template>",
        &[
            "1:1-6 error: the model has no `<system>` element",
            "2:1-11 error: this template has no initial location",
        ],
    );
    check_xml(
        "<template><name>my T</name></template><system>system P;</system>",
        &["2:17-21 error: `my T` cannot be the name of a template"],
    );
    check("<uppaal></uppaal>", &["1:1-9 error: this is not a UPPAAL model: its root is `uppaal`"]);
}

#[test]
fn odd_labels_of_xml() {
    check_xml(
        "<template><name>T</name><location id=\"a\"><name>1x</name>\n\
         <label kind=\"guard\">x</label>\n<label kind=\"weather\">x</label>\n<label>x</label>\n\
         <label kind=\"invariant\">x</label>\n<label kind=\"invariant\">x</label>\n\
         </location><init ref=\"a\"/></template><system>system T;</system><weather/>",
        &[
            "2:48-50 error: `1x` cannot be the name of a location",
            "3:1-21 warning: a label of kind `guard` has no meaning here and is ignored",
            "4:1-23 warning: labels of kind `weather` are unknown and ignored",
            "5:1-8 error: this label has no `kind`",
            "7:1-25 error: there is a second invariant here",
            "8:64-74 warning: the element `<weather>` is unknown and ignored",
        ],
    );
}

#[test]
fn entities_of_the_document_are_refused() {
    let start = "<!DOCTYPE nta [<!ENTITY n \"3\">]>\n<nta>";
    let end = "<system>system T;</system></nta>";
    check(
        &format!("{start}<declaration>int x = &n; ;</declaration>{end}"),
        &["2:27-30 error: the entity `&n;` is not supported inside a model"],
    );
}

#[test]
fn malformed_xml() {
    check("<nta>\n<system>", &["2:9-9 error: the file ends in the middle of the model"]);
    check("<nta>\n<system></nta>", &["2:9-10 error: expected `</system>`, found `</nta>`"]);
    check("<nta>\n<a>x && y</a></nta>", &["2:6-7 error: a bare `&` is not allowed in XML"]);
    check("<nta>\n<a>x < y</a></nta>", &["2:7-8 error: a bare `<` is not allowed in XML"]);
}

#[test]
fn files_that_are_no_text() {
    check("", &["1:1-1 error: the file is empty"]);
    check(" \n\t", &["1:1-1 error: the file is empty"]);
    for bytes in [&b"\x7fELF\0\0\x01"[..], &b"<nta>\0</nta>"[..]] {
        let parsed = uppaal::parse("model", bytes);
        let found = shown(&parsed.sources, &parsed.diagnostics);
        assert_eq!(found, "1:1-1 error: the file is binary, not text\n");
    }
}

#[test]
fn other_encodings() {
    let text = "<nta><declaration>// é\nint x = ;</declaration><system>system P;</system></nta>";
    let expected = "2:9-10 error: expected an expression, found `;`\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = [&[0xFF, 0xFE][..], &little].concat();
    let utf8 = [&[0xEF, 0xBB, 0xBF][..], text.as_bytes()].concat();
    for bytes in [little, big, marked, utf8] {
        let parsed = uppaal::parse("model", &bytes);
        assert_eq!(shown(&parsed.sources, &parsed.diagnostics), expected);
    }
    let latin1: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let parsed = uppaal::parse("model", &latin1);
    let remark = "1:1-1 warning: line 1 is not valid UTF-8; the file is read as Latin-1\n";
    assert_eq!(shown(&parsed.sources, &parsed.diagnostics), format!("{remark}{expected}"));
}

#[test]
fn mistakes_in_queries() {
    let text = "E<> x &&\nA[] (y\n\nx > 3\nE<> a b\nE<> ok\n===== GOALS =====\nE<> $é\n/* E<> x";
    let mut sources = SourceMap::default();
    let (queries, diagnostics) = uppaal::parse_queries("q", text.as_bytes(), &mut sources);
    assert_eq!(diagnostics, []);
    let found: Vec<String> = queries
        .iter()
        .map(|query| match &query.kind {
            QueryKind::Mistaken(mistakes) => shown(&sources, mistakes),
            _ => format!("{}\n", query.text),
        })
        .collect();
    assert_eq!(
        found.concat(),
        "1:9-9 error: expected an expression, found the end of the text\n\
         2:7-7 error: expected `)` to close the parenthesis, found the end of the text\n\
         4:1-2 error: expected `E<>` or `A[]`, found `x`\n\
         5:7-8 error: expected the end of the query, found `b`\n\
         E<> ok\n\
         7:1-3 error: expected `E<>` or `A[]`, found `==`\n\
         8:5-7 error: `$é` has no meaning here\n\
         9:1-3 error: this comment is never closed\n"
    );
    assert_eq!(queries[5].text, "===== GOALS =====");
}
