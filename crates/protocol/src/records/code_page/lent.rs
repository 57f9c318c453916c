//! In a browser: its decoder, and a guess that needs no table, only where in a code page the letters of
//! its language lie.
//!
//! ```text
//! Shift_JIS     pairs; first bytes 81–9F: kana and most characters
//! windows-1251  single bytes C0–FF in rows: Russian letters, Ё and ё apart
//! windows-1252  single bytes among plain letters: ä, é, ß
//! Big5          pairs; second bytes below 7F, too
//! EUC-KR        pairs; first bytes B0–C8: syllables
//! GBK           pairs; all others
//! ```

use std::sync::OnceLock;

/// Reads bytes in the encoding of this name.
type Decoder = fn(&str, &[u8]) -> String;

static DECODER: OnceLock<Decoder> = OnceLock::new();

/// Lends a decoder of the encodings of the web by name. The first one that is lent stays.
#[allow(unreachable_pub, reason = "reached in a browser")]
pub fn lend_decoder(decoder: fn(&str, &[u8]) -> String) {
    let _ = DECODER.set(decoder);
}

/// Reads all texts of a file in the encoding that fits them together; without a decoder as UTF-8.
pub(in super::super) fn decode_all(texts: &[Vec<u8>]) -> Vec<String> {
    let name = guess(texts);
    let decode = |text: &Vec<u8>| {
        DECODER.get().map_or_else(
            || String::from_utf8_lossy(text).into_owned(),
            |decoder| decoder(name, text),
        )
    };
    texts.iter().map(decode).collect()
}

/// What was counted in the bytes above 7F.
#[derive(Default)]
struct Counts {
    high: u32,
    /// 81–9F.
    early: u32,
    /// Letters of Russian.
    cyrillic: u32,
    /// Between two bytes below 80.
    single: u32,
    /// First bytes of pairs: of any, of Korean ones, and those whose second byte is below 7F.
    pairs: u32,
    korean: u32,
    low_second: u32,
}

/// The name of the encoding.
fn guess(texts: &[Vec<u8>]) -> &'static str {
    if texts.iter().all(|text| std::str::from_utf8(text).is_ok()) {
        return "utf-8";
    }
    let mut counts = Counts::default();
    for text in texts {
        counts.read(text);
    }
    let Counts { high, early, cyrillic, single, pairs, korean, low_second } = counts;
    if early * 4 >= high {
        "shift_jis"
    } else if single * 2 >= high {
        "windows-1252"
    } else if cyrillic * 20 >= high * 19 {
        "windows-1251"
    } else if low_second * 8 >= pairs {
        "big5"
    } else if korean * 20 >= pairs * 19 {
        "euc-kr"
    } else {
        "gbk"
    }
}

impl Counts {
    fn read(&mut self, text: &[u8]) {
        let is_high =
            |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(|byte| *byte >= 0x80);
        let mut first = None;
        for (at, &byte) in text.iter().enumerate() {
            if let Some(lead) = first.take() {
                self.pairs += 1;
                self.korean += u32::from(matches!(lead, 0xb0..=0xc8));
                self.low_second += u32::from(byte < 0x7f);
            } else if byte >= 0x80 {
                first = Some(byte);
            }
            if byte < 0x80 {
                continue;
            }
            self.high += 1;
            self.early += u32::from(matches!(byte, 0x81..=0x9f));
            self.cyrillic += u32::from(matches!(byte, 0xc0..=0xff | 0xa8 | 0xb8));
            self.single += u32::from(!is_high(at.checked_sub(1)) && !is_high(Some(at + 1)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::Encoding;

    #[test]
    fn the_look_of_the_bytes_tells_the_encoding() {
        let encoding = |name: &str| Encoding::for_label(name.as_bytes()).expect("known");
        lend_decoder(|name, text| {
            let encoding = Encoding::for_label(name.as_bytes()).expect("known");
            encoding.decode_without_bom_handling(text).0.into_owned()
        });
        for (name, words) in [
            ("utf-8", ["必胜", "白方最强防守", "five"]),
            ("gbk", ["黑方必胜，请看下一手", "白方最强防守是这里", "five"]),
            ("gbk", ["黑棋先手，开局花月", "一子双杀，不能防守", "VCF"]),
            ("big5", ["黑方必勝，請看下一手", "白方最強防守是這裡", "five"]),
            ("shift_jis", ["ここで黒の四々が成立する", "白の追い詰めがある", "five"]),
            ("shift_jis", ["黒勝ち", "花月の必勝形", "VCF"]),
            ("euc-kr", ["흑이 여기서 이긴다", "백의 가장 강한 방어", "five"]),
            ("windows-1251", ["Чёрные выигрывают четвёрками", "ход белых лучше здесь", "five"]),
            (
                "windows-1252",
                ["Schwarz gewinnt über die mittlere Öffnung", "härter, für Weiß", "five"],
            ),
        ] {
            let texts = words.map(|text| encoding(name).encode(text).0.into_owned());
            assert_eq!(guess(&texts), name, "{words:?}");
            assert_eq!(decode_all(&texts), words, "{name}");
        }
        assert_eq!(guess(&[]), "utf-8");
    }
}
