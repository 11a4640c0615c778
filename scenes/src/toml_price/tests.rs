//! That nothing takes more than its price.

use allocation_counter::measure;
use toml::de::DeTable;

use super::price;

/// A word of letters for each number.
fn word(mut number: usize) -> String {
    let mut word = String::new();
    loop {
        word.push(char::from(b'a' + u8::try_from(number % 26).expect("a letter")));
        number /= 26;
        if number == 0 {
            return word;
        }
    }
}

fn many(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}

#[track_caller]
fn check(name: &str, text: &str) {
    let peak = measure(|| drop(DeTable::parse(text))).bytes_max;
    let priced = price(text, u64::MAX);
    assert!(peak <= priced, "{name}: {peak} bytes for {}, priced {priced}", text.len());
}

#[test]
fn what_is_right_takes_no_more() {
    // Just above the powers of 2 at which lists grow.
    for count in [1, 5, 100, 1025] {
        let deep = ".a".repeat(60);
        check("keys", &many(count, |i| format!("{}=1\n", word(i))));
        check("keys that fall", &many(count, |i| format!("k{:06}=1\n", count - i)));
        check("two parts", &many(count, |i| format!("{}.b=1\n", word(i))));
        check("many parts", &many(count / 10, |i| format!("{}{deep}=1\n", word(i))));
        check("headers", &many(count, |i| format!("[{}]\n", word(i))));
        check("deep headers", &many(count / 10, |i| format!("[{}{deep}]\n", word(i))));
        check("headers with a key", &many(count, |i| format!("[{}]\na=1\n", word(i))));
        check("tables", &"[[a]]\n".repeat(count));
        check("tables with a key", &"[[a]]\na=1\n".repeat(count));
        check("tables in tables", &"[[a]]\n[a.b]\n".repeat(count));
        for element in
            ["[],", "[1],", "[[]],", "1,", "{},", "{a=1},", "{a.a=1},", "'',", "1979-05-27,"]
        {
            check(element, &format!("x=[{}]", element.repeat(count)));
        }
        check("inline", &format!("x={{{}}}", many(count, |i| format!("{}=1,", word(i)))));
        check("quoted", &many(count, |i| format!("\"\\u0061{}\"=1\n", word(i))));
        for inside in ["\\n", "n", "é", "\\\n", "\r\n", "."] {
            check(inside, &format!("x=\"\"\"{}\"\"\"", inside.repeat(count)));
        }
    }
}

#[test]
fn what_is_wrong_takes_no_more() {
    let pieces = [
        "[",
        "]",
        "{",
        "}",
        ".",
        "=",
        ",",
        "\"",
        "'",
        "#",
        "\n",
        "\r",
        " ",
        " \n",
        "#\n",
        "a\n",
        "a.",
        "a=",
        "a=\n",
        "{a=",
        "[a,",
        "a,",
        "=.",
        "[.",
        "+",
        "\\",
        "é",
        "\u{7f}",
        "\"\n",
        "'\n",
        "''",
        "[[",
        "]]",
        "[[a\n",
        "[a.\n",
        "a=1 a=1\n",
        "=\n",
        ".\n",
        "1.",
        "x=[",
        "x={",
        "\"\"\"",
        "a.b.",
        "0x",
        "\u{1}",
    ];
    for count in [1, 3, 1025] {
        for piece in pieces {
            check(piece, &piece.repeat(count));
            for start in ["x=", "x=[", "x={", "[", "[[", "x=\"", "x='''", "x=[[1],"] {
                check(&format!("{start}{piece}"), &format!("{start}{}", piece.repeat(count)));
            }
        }
    }
}

#[test]
fn three_pieces_take_no_more() {
    let pieces = ["[", "]", "{", "}", ".", "=", ",", "\"", "'", "#", "\n", " ", "a", "1"];
    for a in pieces {
        for b in pieces {
            for c in pieces {
                check("three pieces", &[a, b, c].concat().repeat(300));
            }
        }
    }
}

#[test]
fn what_costs_too_much_is_not_counted_to_its_end() {
    assert!(price(&"[".repeat(1 << 20), 1000) < 200_000_000);
}
