//! `page/src/wire.ts` is generated from the message types; this fails when it is stale.
//! `COLLINEAR_WRITE_WIRE=1 cargo test -p collinear-room --test wire_is_current` writes it anew.

use std::collections::BTreeMap;
use std::path::Path;

use collinear_play::Reason;
use collinear_room::wire::{ToPage, ToServer};
use ts_rs::{TS, TypeVisitor};

/// Collects a type and everything it is made of.
#[derive(Default)]
struct Declarations(BTreeMap<String, String>);

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only types of ours have a place of their own; numbers and lists are built in.
        if T::output_path().is_some() && !self.0.contains_key(&T::name()) {
            self.0.insert(T::name(), T::decl());
            T::visit_dependencies(self);
        }
    }
}

fn declarations() -> String {
    let mut found = Declarations::default();
    found.visit::<ToServer>();
    found.visit::<ToPage>();
    let head = "// Generated from crates/room/src/wire: do not edit.\n\
        // COLLINEAR_WRITE_WIRE=1 cargo test -p collinear-room --test wire_is_current\n";
    let types = found
        .0
        .values()
        .fold(head.to_owned(), |text, declaration| format!("{text}\nexport {declaration}\n"));
    types + &lists()
}

/// What the page must know of all messages and endings and not only of their types.
fn lists() -> String {
    let quoted = |names: &mut dyn Iterator<Item = &str>, between: &str| {
        names.map(|name| format!("'{name}'")).collect::<Vec<_>>().join(between)
    };
    let reasons = quoted(&mut Reason::ALL.into_iter().map(Reason::name), " | ");
    let changing = quoted(&mut ToServer::changing(), ", ");
    let of_a_game = quoted(&mut ToPage::OF_A_GAME.into_iter(), ", ");
    format!(
        "\n/** Why a game ended. */\nexport type EndReason = {reasons};\n\
        \n/** After these the board shows another position: until they are answered it shows an old one. */\n\
        export const CHANGES_BOARD: ReadonlySet<ToServer['type']> = new Set([{changing}]);\n\
        \n/** These are told of the game on the board: between two games, perhaps of the one that is gone. */\n\
        export const OF_A_GAME: ReadonlySet<ToPage['type']> = new Set([{of_a_game}]);\n"
    )
}

#[test]
fn the_generated_types_are_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../page/src/wire.ts");
    let wanted = declarations();
    if std::env::var_os("COLLINEAR_WRITE_WIRE").is_some() {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(&file, &wanted).expect("written");
    }
    let there = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        there == wanted,
        "page/src/wire.ts is stale: COLLINEAR_WRITE_WIRE=1 cargo test -p collinear-room --test wire_is_current"
    );
}
