"""Read patterns: what each construct matches, what is no ECMA-262 pattern, what is not modelled."""

from __future__ import annotations

import pytest

from compatgate.prover.regex import MAX_ASSERTIONS, MAX_NESTING, MAX_SETS, NotEcma, Opaque, parse


@pytest.mark.parametrize(
    ("pattern", "matched", "unmatched"),
    [
        ("", ["", "a"], []),
        ("b", ["abc"], ["", "ac"]),
        ("^a$", ["a"], ["a\n", "ba", "\na"]),
        ("a$|^b", ["xa", "bx"], ["ax", "xb"]),
        ("x^|a$b", [], ["", "x", "x\n", "ab", "a\nb"]),
        (".", ["a", "\x85", "😀"], ["", "\n", "\r", "\u2028", "\u2029"]),
        (r"^\d+$", ["09"], ["٣", "a", ""]),
        (r"^\w$", ["a", "Z", "_", "0"], ["é", "-", "ſ"]),
        (r"^\s$", ["\ufeff", "\u00a0", "\u3000", "\v", "\u2028"], ["\u200b", "\u0085", "\x1c"]),
        (r"^\S\D\W$", ["aa-"], [" a-", "a1-", "aaa"]),
        (r"^[\s\S]$", ["\n", "😀"], ["", "ab"]),
        (r"^[^\n]*$", ["", "\r"], ["a\n"]),
        ("^[]$", [], ["", "]", "a"]),
        ("^[^]$", ["\n", "a"], ["", "aa"]),
        (r"^[\]\-\b^]$", ["]", "-", "\b", "^"], ["\\", "b"]),
        ("^[a-c-e]$", ["a", "c", "-", "e"], ["d"]),
        (r"^\cJ\x41\u0042\u{43}\0\t\v\f\r\n$", ["\nABC\0\t\v\f\r\n"], ["jABC"]),
        (r"^\uD83D\uDE00$", ["😀"], ["\ufffd"]),
        (r"^\u{1F600}+$", ["😀😀"], ["😁"]),
        (r"^[\uD83D\uDE00-\uD83D\uDE4F]$", ["😀", "🙏"], ["🚀"]),
        (r"^\/\.\$\{\|$", ["/.${|"], []),
        ("^(?:ab|c)+?d??$", ["ab", "cabd"], ["", "d", "a"]),
        ("^(?<year>[0-9]{4})(-)$", ["1999-"], ["999-"]),
        ("^a{2}b{1,2}c{2,}$", ["aabcc", "aabbccc"], ["abcc", "aabbbcc", "aabc"]),
        ("^a{0}$", [""], ["a"]),
        ("^a{00000000000000000002}$", ["aa"], ["a", "aaa"]),
        ("^(?:(?<n>a)|(?<n>b))(?<m>c)$", ["ac", "bc"], ["abc"]),
        (r"\bfoo\b", ["foo", "a foo.", "é foo é"], ["food", "_foo"]),
        (r"é\bx", ["éx"], ["é", "éé"]),
        (r"^a\B", ["ab"], ["a", "a b"]),
        (r"\B", ["", "ab", "--"], ["a"]),
        ("^(?=.*[0-9])(?=.*[a-z]).{3}$", ["a1-", "12a"], ["aaa", "111", "a1"]),
        ("^(?!foo)[a-z]+$", ["fo", "barfoo"], ["foo", "foobar"]),
        ("(?<=a)b", ["ab"], ["b", "bb"]),
        ("(?<!a)b", ["b", "cb"], ["ab"]),
        (r"(?<=^a|\bc)d(?=e$|f)", ["ade", "cdf", "x cdf"], ["bade", "xcdf", "adee"]),
        (r"(?<=a(?=b).)c", ["abc"], ["acc", "bc"]),
        ("(?<=(?<!x)a)b", ["ab", "yab"], ["xab"]),
        ("^(?:(?=a)|b){2}a$", ["a", "ba", "bba"], ["", "b", "bbba"]),
        ("^(?:^a|b)+$", ["a", "abb", "b"], ["aa", "ba"]),
        ("^(?:|a)+$", ["", "aa"], ["b"]),
        ("^((a*)*)*$", ["", "aaaa"], ["b"]),
        (r"^\p{L}+$", ["aé漢"], ["1", ""]),
        (r"^\p{Lu}\p{Uppercase_Letter}\p{gc=Lu}$", ["AÉÑ"], ["aAA"]),
        (r"^[\p{Nd}\P{Any}]$", ["5", "٣"], ["a"]),
        (r"^\p{digit}\P{Letter}\p{ASCII}$", ["٣!~"], ["5a~", "5!é"]),
        (r"^\p{LC}\p{P}\p{Sc}\p{Zs}\p{Cc}\p{Cn}$", ["a!€ \n\u0378"], ["aa€ \n\u0378"]),
    ],
)
def test_a_pattern_matches_exactly_these(pattern: str, matched: list[str], unmatched: list[str]) -> None:
    parsed = parse(pattern)
    assert [text for text in matched if not parsed.matches(text)] == []
    assert [text for text in unmatched if parsed.matches(text)] == []


@pytest.mark.parametrize(
    ("pattern", "matched", "unmatched"),
    [
        (r"^\-\_\@$", ["-_@"], []),
        ("^a{$", ["a{"], ["a"]),
        ("^a{,2}]}$", ["a{,2}]}"], ["a]}"]),
        ("^(?=a)*b$", ["b"], ["ab"]),
        (r"^[\w-a]\-$", ["--", "a-", "z-"], ["!-"]),
        (r"^\101\0\8\-$", ["A\x008-"], []),
        (r"^\c\-$", ["\\c-"], []),
        (r"^\u{2}\-$", ["uu-"], ["\u0002-"]),
        (r"^\x4\-$", ["x4-"], []),
        (r"^\p{=L}$", ["p{=L}"], ["L"]),
        (r"^()\01$", ["\x01"], ["1"]),
        ("^{$", ["{"], []),
    ],
)
def test_annex_b_is_read_where_the_u_grammar_fails(pattern: str, matched: list[str], unmatched: list[str]) -> None:
    parsed = parse(pattern)
    assert [text for text in matched if not parsed.matches(text)] == []
    assert [text for text in unmatched if parsed.matches(text)] == []


@pytest.mark.parametrize(
    ("pattern", "position"),
    [
        ("(?P<n>a)", 2),
        ("(?i)a", 2),
        ("a(?#b)", 3),
        (r"a\Z", 2),
        (r"\Aa", 1),
        ("(", 1),
        ("a)", 1),
        ("[a", 2),
        ("*a", 0),
        ("a**", 2),
        ("^*", 0),
        (r"\b+", 0),
        ("(?<=a)+", 0),
        ("a{2,1}", 1),
        ("[b-a]", 4),
        ("a\\", 2),
        ("(?<1a>b)", 3),
        ("(?<n>a)(?<n>b)", 12),
        ("(?<n>a)(?:b|(?<n>c))", 17),
        ("(?<n>a|(?<n>b))", 12),
        ("(?=(?<n>a))(?<n>a)", 16),
        ("a{00000000000000000003,2}", 1),
        ("(?>a)", 2),
        ("a++", 2),
        (r"\-(?<n>a)\k<m>", 1),
        ("(?-i)a", 2),
        (r"\Q.\E", 1),
    ],
)
def test_what_is_no_ecma_pattern_is_refused_with_its_place(pattern: str, position: int) -> None:
    with pytest.raises(NotEcma) as caught:
        parse(pattern)
    assert caught.value.position == position
    assert f"at character {position + 1}" in caught.value.reason


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"(a)\1", "a back-reference"),
        (r"\1(a)", "a back-reference"),
        (r"(?<n>a)\k<n>", "a back-reference"),
        (r"\p{Script=Greek}", "the property Script=Greek is not known here"),
        ("(?i:a)", "a group with flags of its own"),
        ("(?s-im:a)", "a group with flags of its own"),
        (r"\p{sc=Grek}", "the property sc=Grek is not known here"),
        (r"\p{Emoji}", "the property Emoji is not known here"),
        (r"(?<\u0061>b)", "a group name whose letters are not known here"),
        ("".join(f"[^{chr(0x4E00 + n)}]" for n in range(MAX_SETS + 1)), "too many different sets of characters"),
        ("".join(f"[^\\p{{L}}{chr(0x2190 + n)}]" for n in range(500)), "too many different sets of characters"),
        ("(" * (MAX_NESTING + 1) + ")" * (MAX_NESTING + 1), f"groups nested deeper than {MAX_NESTING}"),
        ("(?=a)" * (MAX_ASSERTIONS + 1), f"more than {MAX_ASSERTIONS} assertions"),
    ],
)
def test_what_is_not_modelled_says_why(pattern: str, reason: str) -> None:
    with pytest.raises(Opaque) as caught:
        parse(pattern)
    assert caught.value.reason == reason


def test_a_syntax_error_outweighs_a_back_reference() -> None:
    with pytest.raises(NotEcma):
        parse(r"(a)\1(")


def test_reading_needs_no_recursion() -> None:
    assert parse("(?:" * MAX_NESTING + "a" + ")*" * MAX_NESTING).matches("aa")
    with pytest.raises(Opaque):
        parse("(" * 100_000)


def test_a_lone_surrogate_is_no_character() -> None:
    assert not parse("^.$").matches("\ud800")
    assert not parse(r"^[\uD800-\uDFFF]$").matches("a")


def test_hostile_texts_take_linear_time() -> None:
    assert not parse("^(a+)+$").matches("a" * 20_000 + "b")
    assert parse("(x+x+)+y").matches("x" * 20_000 + "y")
    assert not parse("^(([a-z])+.)+[A-Z]([a-z])+$").matches("a" * 20_000)
