//! The encodings of the web with their tables.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

/// Reads all texts of a file in the encoding that fits them together.
pub(in super::super) fn decode_all(texts: &[Vec<u8>]) -> Vec<String> {
    let encoding = guess(texts);
    let decode = |text: &Vec<u8>| encoding.decode_without_bom_handling(text).0.into_owned();
    texts.iter().map(decode).collect()
}

fn guess(texts: &[Vec<u8>]) -> &'static Encoding {
    if texts.iter().all(|text| std::str::from_utf8(text).is_ok()) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    for text in texts {
        detector.feed(text, false);
        detector.feed(b"\n", false);
    }
    detector.feed(b"", true);
    detector.guess(None, Utf8Detection::Deny)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_that_of_all_texts_together() {
        for (name, words) in [
            ("UTF-8", ["必胜", "白方最强防守", "five"]),
            ("GBK", ["黑方必胜，请看下一手", "白方最强防守是这里", "five"]),
            ("Shift_JIS", ["ここで黒の四々が成立する", "白の追い詰めがある", "five"]),
            ("windows-1251", ["Чёрные выигрывают четвёрками", "ход белых лучше здесь", "five"]),
            (
                "windows-1252",
                ["Schwarz gewinnt über die mittlere Öffnung", "härter, für Weiß", "five"],
            ),
        ] {
            let encoding = Encoding::for_label(name.as_bytes()).expect(name);
            let bytes = |text: &str| encoding.encode(text).0.into_owned();
            let texts: Vec<Vec<u8>> = words.map(bytes).to_vec();
            assert_eq!(decode_all(&texts), words, "{name}");
        }
        assert_eq!(decode_all(&[]), Vec::<String>::new());
    }
}
