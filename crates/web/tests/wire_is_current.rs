//! `page/src/wire.ts` is generated from the message types; this fails when it is stale.
//! `COLLINEAR_WRITE_WIRE=1 cargo test -p collinear-web --test wire_is_current` writes it anew.

use std::fmt::Write as _;
use std::path::Path;

use collinear_web::wire::*;
use ts_rs::TS;

fn declarations() -> String {
    let mut text = String::from(
        "// Generated from crates/web/src/wire: do not edit.\n// COLLINEAR_WRITE_WIRE=1 cargo test -p collinear-web --test wire_is_current\n",
    );
    macro_rules! declare {
        ($($name:ty),* $(,)?) => { $( writeln!(text, "\nexport {}", <$name as TS>::decl()).expect("a string"); )* };
    }
    declare!(
        ToServer,
        ToPage,
        AgentInfo,
        BoardView,
        ClockView,
        Colour,
        Ending,
        EndingReason,
        EngineLine,
        FormCheck,
        GameInfo,
        GameView,
        Level,
        NewGame,
        NodeView,
        OptionInfo,
        OptionKind,
        PresetInfo,
        Purpose,
        RulesForm,
        RulesView,
        SearchView,
        Seat,
        StoredGame,
        Timing,
        Worth,
    );
    text
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
        "page/src/wire.ts is stale: COLLINEAR_WRITE_WIRE=1 cargo test -p collinear-web --test wire_is_current"
    );
}
