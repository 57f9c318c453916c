//! Seats and consent.

use proptest::prelude::*;

use super::*;

const CLOCK: Timing = Timing::Clock { start_ms: 300_000, increment_ms: 3000 };
const OTHER: Timing = Timing::Clock { start_ms: 60_000, increment_ms: 0 };

fn person(sign: char) -> Person {
    Person::read(&sign.to_string().repeat(PERSON_DIGITS)).expect("an identity")
}

fn now() -> Stand {
    Stand { clock: CLOCK, begun: true, has_turn: true }
}

/// Ann plays Black, Bea White; both have agreed on the clock.
fn ann_and_bea() -> Friends {
    let mut friends = Friends::default();
    friends.sit(Some(&person('a')), Player::Black, "Ann", CLOCK).expect("free");
    friends.sit(Some(&person('b')), Player::White, "Bea", CLOCK).expect("free");
    friends
}

#[test]
fn an_identity_is_32_hexadecimal_digits() {
    assert!(Person::read("0123456789abcdef0123456789abcdef").is_some());
    for bad in ["", "a", "0123456789ABCDEF0123456789ABCDEF", "g123456789abcdef0123456789abcdef"] {
        assert_eq!(Person::read(bad), None, "{bad:?}");
    }
    assert!(!format!("{:?}", person('a')).contains('a'), "logs do not show it");
    assert_eq!(room_secret(&room_id("s")), Some("s"));
    assert_eq!(room_secret("0123456789abcdef"), None);
}

#[test]
fn a_seat_is_the_first_ones_and_nobody_elses() {
    let mut friends = ann_and_bea();
    let names = || [Some("Ann".to_owned()), Some("Bea".to_owned())];
    for (who, why) in [('c', FriendRefusal::Taken), ('a', FriendRefusal::Seated)] {
        for side in Player::BOTH {
            assert_eq!(friends.sit(Some(&person(who)), side, "Eve", CLOCK), Err(why));
        }
    }
    assert_eq!(friends.sit(None, Player::Black, "Eve", CLOCK), Err(FriendRefusal::NoIdentity));
    assert_eq!(friends.seat_of(None), Err(FriendRefusal::Watching));
    assert_eq!(friends.seat_of(Some(&person('c'))), Err(FriendRefusal::Watching));
    assert_eq!(friends.names(), names());
    // Who has left is somebody like all others, with the same identity.
    assert_eq!(friends.stand(0, true), Err(FriendRefusal::Begun));
    friends.stand(0, false).expect("nothing was played");
    friends.sit(Some(&person('c')), Player::Black, " Cid\n", CLOCK).expect("free");
    assert_eq!(friends.seat_of(Some(&person('a'))), Err(FriendRefusal::Watching));
    assert_eq!(friends.seat_of(Some(&person('c'))), Ok(0));
    assert_eq!(friends.names()[0].as_deref(), Some("Cid"));
}

#[test]
fn nobody_sits_without_a_name() {
    let mut friends = Friends::default();
    let sat = friends.sit(Some(&person('a')), Player::Black, " \u{1b}\n ", CLOCK);
    assert_eq!(sat, Err(FriendRefusal::Nameless));
}

#[test]
fn the_clock_is_the_one_that_both_have_agreed_to() {
    let mut friends = Friends::default();
    friends.sit(Some(&person('a')), Player::Black, "Ann", CLOCK).expect("free");
    assert!(!friends.agreed(CLOCK), "one alone agrees to nothing");
    let now = Stand { begun: false, ..now() };
    // Nobody sits opposite: no answer is needed.
    let wish = Wish::Clock { timing: OTHER };
    assert_eq!(friends.ask(0, wish, now), Ok(Some(wish)));
    // Bea has seen the old one.
    friends.sit(Some(&person('b')), Player::White, "Bea", CLOCK).expect("free");
    assert!(!friends.agreed(OTHER) && !friends.agreed(CLOCK));
    // She proposes another one, Ann a third, which Bea grants.
    let third = Wish::Clock { timing: Timing::Turn { ms: 1000 } };
    let hers = Wish::Clock { timing: CLOCK };
    assert_eq!(friends.ask(1, hers, now), Ok(None));
    assert_eq!(friends.answer(1, true), Err(FriendRefusal::NothingAsked), "her own question");
    assert_eq!(friends.ask(0, third, now), Ok(None));
    assert_eq!(friends.answer(1, true), Ok(Some(third)));
    assert!(friends.agreed(Timing::Turn { ms: 1000 }));
    let late = Stand { begun: true, ..now };
    assert_eq!(friends.ask(0, wish, late), Err(FriendRefusal::Begun));
}

#[test]
fn take_backs_and_rematches_need_the_other_player() {
    let mut friends = ann_and_bea();
    assert_eq!(friends.ask(0, Wish::Rematch, now()), Err(FriendRefusal::NotOver));
    let early = Stand { has_turn: false, ..now() };
    assert_eq!(friends.ask(0, Wish::TakeBack, early), Err(FriendRefusal::NoTurn));
    assert_eq!(friends.ask(0, Wish::TakeBack, now()), Ok(None));
    assert_eq!(friends.ask(1, Wish::Chat, now()), Err(FriendRefusal::Open));
    assert_eq!(friends.answer(0, true), Err(FriendRefusal::NothingAsked));
    assert_eq!(friends.answer(1, false), Ok(None));
    let view = friends.view(Some(&person('a')), &[], CLOCK);
    assert_eq!(view.answered.map(|answered| answered.yes), Some(false));
    assert_eq!(friends.answer(1, true), Err(FriendRefusal::NothingAsked), "once");
    assert_eq!(friends.ask(0, Wish::TakeBack, now()), Ok(None));
    friends.withdraw(0).expect("it is open");
    assert_eq!(friends.withdraw(0), Err(FriendRefusal::NothingAsked));
    // A stone answers nothing and leaves nothing open.
    friends.ask(0, Wish::TakeBack, now()).expect("asked");
    friends.played(false);
    assert_eq!(friends.answer(1, true), Err(FriendRefusal::NothingAsked));
    friends.played(true);
    assert_eq!(friends.ask(0, Wish::TakeBack, now()), Err(FriendRefusal::Over));
    assert_eq!(friends.ask(1, Wish::Rematch, now()), Ok(None));
    assert_eq!(friends.answer(0, true), Ok(Some(Wish::Rematch)));
    friends.begin_again(true);
    assert_eq!(friends.seat_of(Some(&person('a'))), Ok(1));
    assert!(!friends.is_over());
}

#[test]
fn the_chat_is_off_until_both_want_it_and_those_who_watch_do_not_read_it() {
    let mut friends = ann_and_bea();
    assert_eq!(friends.say(0, "hello"), Err(FriendRefusal::NoChat));
    friends.ask(0, Wish::Chat, now()).expect("asked");
    assert_eq!(friends.answer(1, true), Ok(Some(Wish::Chat)));
    friends.say(0, "hel\u{7}lo").expect("on");
    friends.say(1, "  ").expect("nothing is said");
    for _ in 0..2 * MAX_LINES {
        friends.say(1, &"x".repeat(2 * MAX_SAID)).expect("on");
    }
    let lines = friends.view(Some(&person('b')), &[], CLOCK).chat.expect("on");
    assert_eq!((lines.len(), lines[1].text.len()), (MAX_LINES, MAX_SAID));
    assert_eq!(friends.view(Some(&person('c')), &[], CLOCK).chat, None);
    assert_eq!(friends.view(None, &[], CLOCK).chat, None);
    friends.quiet();
    assert_eq!(friends.view(Some(&person('b')), &[], CLOCK).chat, None);
    assert_eq!(friends.say(0, "hello"), Err(FriendRefusal::NoChat));
}

#[test]
fn a_page_is_told_its_own_seat_who_is_here_and_how_many_watch() {
    let friends = ann_and_bea();
    let present = [Some(person('b')), Some(person('c')), None, Some(person('b'))];
    let view = friends.view(Some(&person('b')), &present, CLOCK);
    assert_eq!(view.you, Some(crate::wire::Colour::White));
    let here = view.seats.each_ref().map(|seat| seat.as_ref().map(|seat| seat.here));
    assert_eq!((here, view.watching), ([Some(false), Some(true)], 2));
    assert_eq!(friends.view(None, &present, CLOCK).you, None);
    assert!(friends.somebody_is_here(&present) && !friends.somebody_is_here(&present[1..3]));
}

/// What anybody may try.
fn deeds() -> impl Strategy<Value = Vec<(u8, u8)>> {
    proptest::collection::vec((0..4u8, 0..9u8), 0..60)
}

proptest! {
    /// Whatever four people try in whatever order: nobody has two seats, a seat changes its person only
    /// by its own person's leaving, and nothing is granted to who asks by who asks.
    #[test]
    fn seats_and_consent_hold_whatever_is_tried(deeds in deeds()) {
        let mut friends = Friends::default();
        for (who, deed) in deeds {
            let me = person(char::from(b'a' + who));
            let before = friends.seats.each_ref().map(|seat| seat.as_ref().map(|s| s.person.clone()));
            let asked = friends.asked;
            let seat = friends.seat_of(Some(&me));
            let mut granted = None;
            match (deed, seat) {
                (0 | 1, _) => drop(friends.sit(Some(&me), Player::BOTH[usize::from(deed)], "x", CLOCK)),
                (2, Ok(seat)) => drop(friends.stand(seat, true)),
                (3, Ok(seat)) => drop(friends.ask(seat, Wish::TakeBack, now())),
                (4, Ok(seat)) => drop(friends.ask(seat, Wish::Rematch, now())),
                (5, Ok(seat)) => granted = friends.answer(seat, true).ok().flatten(),
                (6, Ok(seat)) => drop(friends.withdraw(seat)),
                (7, _) => friends.played(true),
                (8, _) if friends.is_over() => friends.begin_again(false),
                _ => {}
            }
            for (at, was) in before.iter().enumerate() {
                let is = friends.seats[at].as_ref().map(|sitter| &sitter.person);
                let left = was.as_ref() == Some(&me) && deed == 2 && is.is_none();
                prop_assert!(was.is_none() || was.as_ref() == is || left);
            }
            let [black, white] = friends.seats.each_ref().map(|s| s.as_ref().map(|s| &s.person));
            prop_assert!(black.is_none() || black != white);
            if granted.is_some() {
                prop_assert!(asked.is_some_and(|asked| Ok(asked.by) != seat));
            }
        }
    }
}
