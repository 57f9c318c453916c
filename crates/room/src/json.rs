//! JSON as everything here reads it: messages, stored games, what workers say.
//!
//! `serde_json` can read a struct from an object and from a list, and makes code for both and for each
//! kind of input. In a browser that code is loaded before the first stone: so texts are read into one
//! kind of value first, and structs from objects alone. Its objects are lists: nobody looks names up in
//! them, and a search tree for that is larger than all of this. `tagged` reads enums whose variant stands
//! among its fields, `{"type": "play", "ply": 4}`, for which the derived code is several times larger.

use std::{fmt, mem, vec};

use serde::de::{
    self, DeserializeOwned, DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, forward_to_deserialize_any};
use serde_json::{Error, Number};

/// Reads a text.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    open(value(text)?)
}

/// Reads what a text was read into.
pub(crate) fn open<T: DeserializeOwned>(value: Value) -> Result<T, Error> {
    T::deserialize(Json(value))
}

/// Reads a text into what is in it.
pub(crate) fn value(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text)
}

/// Reads a text whose variant stands in the field `type`, for an enum with serde's own tags.
pub fn read_tagged<Form: DeserializeOwned>(text: &str) -> Result<Form, Error> {
    tagged(Json(value(text)?), "type")
}

/// Reads an enum whose variant stands in the field `tag`: `Form` is the same with serde's own tags.
pub(crate) fn tagged<'de, D: Deserializer<'de>, Form: DeserializeOwned>(
    deserializer: D,
    tag: &'static str,
) -> Result<Form, D::Error> {
    let missing = || de::Error::missing_field(tag);
    let Value::Object(mut fields) = Value::deserialize(deserializer)? else {
        return Err(missing());
    };
    let at = fields.iter().position(|(name, _)| name == tag).ok_or_else(missing)?;
    let (_, Value::String(variant)) = fields.swap_remove(at) else { return Err(missing()) };
    let form = Value::Object(vec![(variant, Value::Object(fields))]);
    Form::deserialize(Json(form)).map_err(de::Error::custom)
}

/// Implements `Deserialize` for an enum with a tag among its fields.
macro_rules! tagged_enum {
    (
        tag = $tag:literal;
        $(#[$meta:meta])*
        $vis:vis enum $Name:ident {
            $(
                $(#[$variant_meta:meta])*
                $Variant:ident $({
                    $( $(#[$field_meta:meta])* $field:ident: $Type:ty ),* $(,)?
                })?
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(serde::Serialize, ts_rs::TS)]
        #[serde(tag = $tag, rename_all = "camelCase", rename_all_fields = "camelCase")]
        $vis enum $Name {
            $( $(#[$variant_meta])* $Variant $({ $( $(#[$field_meta])* $field: $Type ),* })? ),*
        }

        impl<'de> serde::Deserialize<'de> for $Name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #[derive(serde::Deserialize)]
                #[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
                enum Form {
                    $( $Variant { $( $( $field: $Type ),* )? } ),*
                }
                let form: Form = $crate::json::tagged(deserializer, $tag)?;
                Ok(match form {
                    $( Form::$Variant { $( $( $field ),* )? } => {
                        Self::$Variant $({ $( $field ),* })?
                    } )*
                })
            }
        }
    };
}
pub(crate) use tagged_enum;

/// Any JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Value {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Value>),
    /// Names and values as they came.
    Object(Vec<(String, Value)>),
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(is) => serializer.serialize_bool(*is),
            Self::Number(number) => number.serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(fields) => {
                serializer.collect_map(fields.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, is: bool) -> Result<Value, E> {
        Ok(Value::Bool(is))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Value::Object(fields))
    }
}

/// A value that is read.
struct Json(Value);

impl Json {
    fn wrong(&self, expected: &str) -> Error {
        let found = match &self.0 {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::String(_) => "a text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        de::Error::custom(format_args!("{expected} is expected, not {found}"))
    }

    fn list<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(items) => visitor.visit_seq(Items(items.into_iter())),
            _ => Err(self.wrong("a list")),
        }
    }

    fn object<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Object(fields) => {
                visitor.visit_map(Fields { fields: fields.into_iter(), value: Value::Null })
            }
            _ => Err(self.wrong("an object")),
        }
    }

    fn number<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Value::Number(number) = &self.0 else { return Err(self.wrong("a number")) };
        if let Some(whole) = number.as_u64() {
            visitor.visit_u64(whole)
        } else if let Some(whole) = number.as_i64() {
            visitor.visit_i64(whole)
        } else {
            visitor.visit_f64(number.as_f64().unwrap_or_default())
        }
    }

    fn truth<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Bool(is) => visitor.visit_bool(is),
            _ => Err(self.wrong("true or false")),
        }
    }

    fn text<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(text) => visitor.visit_string(text),
            _ => Err(self.wrong("a text")),
        }
    }

    fn nothing<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0 == Value::Null { visitor.visit_unit() } else { Err(self.wrong("nothing")) }
    }
}

/// Methods that read by one of those above.
macro_rules! by {
    ($($method:ident => $how:ident),* $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.$how(visitor)
        })*
    };
}

impl<'de> Deserializer<'de> for Json {
    type Error = Error;

    by! {
        deserialize_bool => truth, deserialize_i8 => number, deserialize_i16 => number,
        deserialize_i32 => number, deserialize_i64 => number, deserialize_u8 => number,
        deserialize_u16 => number, deserialize_u32 => number, deserialize_u64 => number,
        deserialize_f32 => number, deserialize_f64 => number, deserialize_char => text,
        deserialize_str => text, deserialize_string => text, deserialize_identifier => text,
        deserialize_unit => nothing, deserialize_bytes => list, deserialize_byte_buf => list,
        deserialize_seq => list, deserialize_map => object,
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(_) => self.list(visitor),
            Value::Object(_) => self.object(visitor),
            Value::Number(_) => self.number(visitor),
            Value::String(_) => self.text(visitor),
            Value::Bool(_) => self.truth(visitor),
            Value::Null => self.nothing(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0 == Value::Null { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.nothing(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.list(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.list(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.object(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(variant) => visitor.visit_enum(Variant { variant, content: Value::Null }),
            Value::Object(fields) if fields.len() == 1 => match fields.into_iter().next() {
                Some((variant, content)) => visitor.visit_enum(Variant { variant, content }),
                None => Err(de::Error::custom("a variant is expected")),
            },
            _ => Err(self.wrong("a variant")),
        }
    }
}

struct Items(vec::IntoIter<Value>);

impl<'de> SeqAccess<'de> for Items {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        self.0.next().map(|item| seed.deserialize(Json(item))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

struct Fields {
    fields: vec::IntoIter<(String, Value)>,
    value: Value,
}

impl<'de> MapAccess<'de> for Fields {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some((key, value)) = self.fields.next() else { return Ok(None) };
        self.value = value;
        seed.deserialize(Name(&key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(Json(mem::take(&mut self.value)))
    }
}

/// The name of a field or a variant.
struct Name<'a>(&'a str);

impl<'de> Deserializer<'de> for Name<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.0)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// An enum as serde writes it: `"name"` or `{"name": content}`.
struct Variant {
    variant: String,
    content: Value,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Error;
    type Variant = Json;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Json), Error> {
        Ok((seed.deserialize(Name(&self.variant))?, Json(self.content)))
    }
}

impl<'de> VariantAccess<'de> for Json {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        if self.0 == Value::Null { Ok(()) } else { Err(self.wrong("nothing")) }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.list(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.object(visitor)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Serialize;

    use super::*;

    tagged_enum! {
        tag = "type";
        /// Every kind of variant.
        #[derive(Clone, Debug, PartialEq)]
        enum Said {
            /// Without fields.
            Nothing,
            /// With some.
            SomeThing {
                /// A number.
                a_number: u64,
                /// Another enum inside.
                inner: Option<Box<Said>>,
            },
        }
    }

    #[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
    enum Plain {
        Unit,
        New(i32),
        Pair(u8, String),
        Fields { list: Vec<f64>, pair: (bool, char) },
    }

    #[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
    struct Whole {
        plain: Vec<Plain>,
        said: Said,
        #[serde(default)]
        text: Option<String>,
    }

    fn plain() -> impl Strategy<Value = Plain> {
        prop_oneof![
            Just(Plain::Unit),
            any::<i32>().prop_map(Plain::New),
            (any::<u8>(), any::<String>()).prop_map(|(a, b)| Plain::Pair(a, b)),
            // Numbers with few digits: with more the last one is read so or so.
            (prop::collection::vec(any::<i32>(), 0..4), any::<(bool, char)>()).prop_map(
                |(list, pair)| {
                    let list = list.into_iter().map(|number| f64::from(number) / 4.0).collect();
                    Plain::Fields { list, pair }
                }
            ),
        ]
    }

    fn whole() -> impl Strategy<Value = Whole> {
        let said = any::<Option<u64>>().prop_map(|number| match number {
            None => Said::Nothing,
            Some(a_number) => Said::SomeThing { a_number, inner: Some(Box::new(Said::Nothing)) },
        });
        let parts = (prop::collection::vec(plain(), 0..4), said, any::<Option<String>>());
        parts.prop_map(|(plain, said, text)| Whole { plain, said, text })
    }

    proptest! {
        #[test]
        fn what_serde_writes_is_read_as_serde_reads_it(whole in whole()) {
            let text = serde_json::to_string(&whole).expect("written");
            prop_assert_eq!(&read::<Whole>(&text).expect(&text), &whole);
            prop_assert_eq!(&serde_json::from_str::<Whole>(&text).expect(&text), &whole);
        }
    }

    #[test]
    fn tags_stand_among_the_fields() {
        let said: Said = read(
            r#"{"aNumber": 7, "inner": {"type": "nothing"}, "type": "someThing", "more": []}"#,
        )
        .expect("said");
        let inner = Some(Box::new(Said::Nothing));
        assert_eq!(said, Said::SomeThing { a_number: 7, inner });
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| match read::<Whole>(text) {
            Ok(whole) => panic!("{whole:?}"),
            Err(error) => error.to_string(),
        };
        assert!(error("[[], 1]").contains("an object is expected, not a list"));
        assert!(error("{\"plain\": []}").contains("missing field `said`"));
        let said = |said: &str| error(&format!("{{\"plain\": [], \"said\": {said}}}"));
        assert!(said("{}").contains("missing field `type`"));
        assert!(said("{\"type\": \"shouted\"}").contains("unknown variant `shouted`"));
        assert!(said("{\"type\": \"someThing\"}").contains("missing field `aNumber`"));
        assert!(said("{\"type\": \"someThing\", \"aNumber\": -1}").contains("-1"));
        assert!(error("{\"plain\": [{\"New\": 1, \"Unit\": null}]}").contains("a variant"));
    }
}
