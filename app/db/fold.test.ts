import { expect, test } from "vitest";
import { foldForSearch, searchKey } from "./fold.ts";

test.each([
  ["GATE", "gate"],
  ["Ångström", "angstrom"],
  ["A\u030angstro\u0308m", "angstrom"],
  ["Đà Nẵng", "da nang"],
  ["Ødegård", "odegard"],
  ["Łódź", "lodz"],
  ["Straße, STRASSE, GROẞ", "strasse, strasse, gross"],
  ["Ægir œuvre Ǽ", "aegir oeuvre ae"],
  ["ısırgan", "isirgan"],
  ["Ħamrun", "hamrun"],
  ["Þórður Ðuro", "thordur duro"],
  ["Ɓaure Ɗanja Ƙofa", "baure danja kofa"],
  ["İstanbul", "istanbul"],
  ["ｇａｔｅ", "gate"],
  ["ﬁle", "file"],
  ["ΟΔΟΣ", "οδοσ"],
  ["ÉTÉ МОЙ", "ete мой"],
])("%s is searched as %s", (text, folded) => {
  expect(foldForSearch(text)).toBe(folded);
});

test.each([
  ["می\u200cخواهم", "میخواهم"],
  ["ga\u200bte\ufeff", "gate"],
  ["\u202egate\u2069", "gate"],
  ["soft\u00adly", "softly"],
])("invisible characters in %j are ignored", (text, folded) => {
  expect(foldForSearch(text)).toBe(folded);
});

test.each(["й", "が", "أ", "كِتاب", "हिन्दी", "한"])(
  "the diacritics of %s make another word",
  (text) => {
    expect(foldForSearch(text)).toBe(text.normalize("NFC"));
  },
);

test.each([
  ["ΟΔΟΣΗΜΟ", "ΟΔΟΣ"],
  ["ΟΔΟΣ", "ΔΟσ"],
  ["Crème brûlée", "ME BRU"],
  ["한국어", "국어"],
  ["مكتبة الأدوات", "الأد"],
  ["ﻣﻜﺘﺒﺔ", "مكتبة"],
  ['100%_"x"', '%_"X'],
])("%s contains %s", (text, part) => {
  expect(foldForSearch(text)).toContain(foldForSearch(part));
});

test("folding twice equals folding once", () => {
  for (const text of ["Ångström", "ΟΔΟΣ", "İ", "ﬁ½", "Þǿß\u200c", "مكتبة", "한", "\ud800x"]) {
    expect(foldForSearch(foldForSearch(text))).toBe(foldForSearch(text));
  }
});

test("a lone surrogate is replaced", () => {
  expect(foldForSearch("a\ud800b")).toBe("a\ufffdb");
});

test("U+0000, which no query can contain, is removed", () => {
  expect(foldForSearch("\u0000a\u0000b")).toBe("ab");
});

test("a key has a line for each text and none for an absent one", () => {
  expect(searchKey("Gâte", "https://gate.example/", null, undefined, "")).toBe(
    "gate\nhttps://gate.example/",
  );
});
