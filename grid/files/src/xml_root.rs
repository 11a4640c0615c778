//! The root element of XML, from its first bytes.

/// The local name of the root element of a document that begins so; `None` if it is not XML, or if the
/// root comes later.
pub(crate) fn root(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    loop {
        let inner = rest.strip_prefix('<')?;
        let after = if inner.starts_with('?') {
            inner.split_once("?>")?.1
        } else if let Some(comment) = inner.strip_prefix("!--") {
            comment.split_once("-->")?.1
        } else if inner.starts_with('!') {
            after_doctype(inner)?
        } else {
            return name(inner);
        };
        rest = after.trim_start();
    }
}

/// What follows a document type, whose own declarations are in brackets.
fn after_doctype(inner: &str) -> Option<&str> {
    let end = inner.find(['[', '>'])?;
    let (found, after) = inner.get(end..)?.split_at_checked(1)?;
    if found == ">" { Some(after) } else { after.split_once(']')?.1.split_once('>').map(|it| it.1) }
}

fn name(inner: &str) -> Option<&str> {
    let end = inner.find(|c: char| c.is_whitespace() || c == '>' || c == '/')?;
    let name = inner.get(..end)?;
    let local = name.rsplit_once(':').map_or(name, |(_, local)| local);
    let is_name = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let begins = local.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (begins && local.chars().all(is_name)).then_some(local)
}

#[cfg(test)]
mod tests {
    use super::root;

    #[test]
    fn what_comes_before_the_root_is_passed_over() {
        for before in [
            "",
            "\r\n ",
            "<?xml version=\"1.0\"?>\n",
            "<!-- <a> -->",
            "<?xml?><!DOCTYPE x [<!ENTITY a \"b\">]><!-- -->",
            "<!DOCTYPE html>",
        ] {
            assert_eq!(root(&format!("{before}<Root a=\"1\">")), Some("Root"), "{before}");
        }
        assert_eq!(root("<x:Root/>"), Some("Root"));
        for other in ["", "x", "<", "<a", "<1>", "< a>", "<?xml", "<!--", "<!DOCTYPE x [", "<<a>>"]
        {
            assert_eq!(root(other), None, "{other}");
        }
    }
}
