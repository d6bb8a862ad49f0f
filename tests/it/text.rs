//! Words, numbers and places of text formats.

use maquette::error::Place;
use maquette::text::Lexer;

fn words(text: &[u8]) -> Vec<String> {
    let mut lexer = Lexer::new("test", text);
    std::iter::from_fn(|| lexer.next().unwrap().map(|token| token.text())).collect()
}

#[test]
fn brackets_are_words_of_their_own_with_or_without_blanks() {
    assert_eq!(words(b"mesh{(1,2);}"), ["mesh", "{", "(", "1", ",", "2", ")", ";", "}"]);
}

#[test]
fn comments_are_white_space_but_not_inside_a_path() {
    assert_eq!(words(b"a // b\nc /* d\ne */ f"), ["a", "c", "f"]);
    assert_eq!(words(b"textures//wall 3//three"), ["textures//wall", "3"]);
}

#[test]
fn quoted_text_is_one_word_without_escapes() {
    assert_eq!(words(br#""two words" "c:\dir" """#), ["two words", r"c:\dir", ""]);
    let mut lexer = Lexer::new("test", br#""{""#);
    assert!(!lexer.check("{").unwrap(), "a bracket in quotes is text");
}

#[test]
fn bytes_above_127_are_latin_1_and_nul_is_white_space() {
    assert_eq!(words(b"caf\xe9\0au\0lait"), ["café", "au", "lait"]);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    assert_eq!(words(b"\xef\xbb\xbfMD5Version"), ["MD5Version"]);
}

#[test]
fn lines_end_at_lf_at_cr_lf_and_at_a_lone_cr() {
    for text in ["a\nb\n  c", "a\r\nb\r\n  c", "a\rb\r  c"] {
        let mut lexer = Lexer::new("test", text.as_bytes());
        let last = [lexer.next(), lexer.next(), lexer.next()].map(|token| token.unwrap().unwrap())[2];
        assert_eq!(last.place(), Place::Line { line: 3, column: 3 }, "{text:?}");
    }
}

#[test]
fn numbers_may_have_signs_exponents_and_the_odd_forms_of_old_c_libraries() {
    let mut lexer = Lexer::new("test", b"-1.5e2 +.5 3. 1.#INF -1.#IND 0x10");
    assert!((lexer.parse_number("n").unwrap() + 150.0).abs() < f32::EPSILON);
    assert!((lexer.parse_number("n").unwrap() - 0.5).abs() < f32::EPSILON);
    assert!((lexer.parse_number("n").unwrap() - 3.0).abs() < f32::EPSILON);
    assert!(lexer.parse_number("n").unwrap().is_nan());
    assert!(lexer.parse_number("n").unwrap().is_nan());
    assert!(lexer.parse_number("n").is_err());
}

#[test]
fn errors_say_what_was_expected_what_was_found_and_where() {
    let mut lexer = Lexer::new("test", b"joints\n  ( 1 two )");
    lexer.expect("joints", "").unwrap();
    let error = lexer.parse_vector::<2>("position").unwrap_err();
    assert_eq!(error.to_string(), "test: position at line 2, column 7: a number was expected, “two” was found");
    let error = Lexer::new("test", b"a").parse_count("count", 5).unwrap_err();
    assert_eq!(error.to_string(), "test: count at line 1, column 1: a whole number was expected, “a” was found");
    let error = Lexer::new("test", b" 6").parse_count("count", 5).unwrap_err();
    assert_eq!(error.to_string(), "test: count at line 1, column 2: the count 6 is outside 0 to 5");
    let error = Lexer::new("test", b"").parse_text("name").unwrap_err();
    assert_eq!(error.to_string(), "test: name at line 1, column 1: a text was expected, the end of the file was found");
}

#[test]
fn what_is_not_closed_is_an_error_at_its_beginning() {
    for (text, message) in [
        ("a \"b", "test: line 1, column 3: a quoted text begins here that does not end"),
        ("a\n/* b", "test: line 2, column 1: a comment begins here that does not end"),
    ] {
        let mut lexer = Lexer::new("test", text.as_bytes());
        lexer.next().unwrap();
        assert_eq!(lexer.next().unwrap_err().to_string(), message);
    }
    let mut lexer = Lexer::new("test", b"{ { }");
    lexer.expect("{", "").unwrap();
    let message = "test: stage at line 1, column 2: a block begins here that does not end";
    assert_eq!(lexer.skip_block("stage").unwrap_err().to_string(), message);
}

#[test]
fn blocks_are_skipped_with_all_that_is_nested_in_them() {
    let mut lexer = Lexer::new("test", b"{ a { b \"}\" } c } d");
    lexer.expect("{", "").unwrap();
    lexer.skip_block("").unwrap();
    assert!(lexer.check("d").unwrap());
}
