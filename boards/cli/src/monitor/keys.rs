//! Keys, as they are pressed.

use std::time::Duration;

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tokio::sync::mpsc;

/// How soon the thread sees that nobody waits for keys any more.
const ATTENTION: Duration = Duration::from_millis(100);

/// What somebody at the keyboard wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// To leave.
    Leave,
    /// To leave at once, by Ctrl-C.
    Interrupt,
    /// To see everything anew.
    Redraw,
}

/// What is wished, as it comes.
pub(super) fn wishes() -> mpsc::Receiver<Wish> {
    let (sender, wishes) = mpsc::channel(8);
    tokio::task::spawn_blocking(move || {
        while !sender.is_closed() {
            // A terminal that cannot be read has no wishes; signals are heard elsewhere.
            let Ok(is_pressed) = event::poll(ATTENTION) else { return };
            if !is_pressed {
                continue;
            }
            let Ok(event) = event::read() else { return };
            if let Some(wish) = wish(&event)
                && sender.blocking_send(wish).is_err()
            {
                return;
            }
        }
    });
    wishes
}

fn wish(event: &Event) -> Option<Wish> {
    match event {
        Event::Resize(..) => Some(Wish::Redraw),
        Event::Key(KeyEvent { kind: KeyEventKind::Press, code, modifiers, .. }) => {
            match (code, modifiers.contains(KeyModifiers::CONTROL)) {
                (KeyCode::Char('c'), true) => Some(Wish::Interrupt),
                (KeyCode::Char('l'), true) => Some(Wish::Redraw),
                (KeyCode::Char('q' | 'Q') | KeyCode::Esc, _) => Some(Wish::Leave),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_wishes() {
        let key = |code, modifiers| wish(&Event::Key(KeyEvent::new(code, modifiers)));
        assert_eq!(key(KeyCode::Char('q'), KeyModifiers::NONE), Some(Wish::Leave));
        assert_eq!(key(KeyCode::Esc, KeyModifiers::NONE), Some(Wish::Leave));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Wish::Interrupt));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::NONE), None);
        assert_eq!(wish(&Event::Resize(80, 24)), Some(Wish::Redraw));
    }
}
