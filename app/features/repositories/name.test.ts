import { expect, test } from "vitest";
import { cleanRepositoryName, repositoryNameKey } from "./name.ts";

test.each([
  ["Gatehouse", " gatehouse "],
  ["ÉCOLE", "école"],
  ["e\u0301cole", "école"],
  ["ＧＡＴＥ", "gate"],
  ["Straße", "STRASSE"],
  ["ΣΊΣΥΦΟΣ", "σίσυφος"],
  ["ﬁle", "file"],
  ["می\u200cخواهم", "میخواهم"],
  ["ga\u200dte", "gate"],
  ["gate\ufe0f", "gate"],
])("%s and %s are the same name", (one, other) => {
  expect(repositoryNameKey(one)).toBe(repositoryNameKey(other));
});

test.each([
  ["gate", "gates"],
  ["a b", "ab"],
  ["بوابة", "بواب"],
])("%s and %s are different names", (one, other) => {
  expect(repositoryNameKey(one)).not.toBe(repositoryNameKey(other));
});

const CODES = [0x200b, 0x200e, 0x200f, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0xfeff, 0xad, 0x61c];

test.each(CODES)("U+%x is removed anywhere in a name", (code) => {
  const unseen = String.fromCodePoint(code);
  expect(cleanRepositoryName(`${unseen} ga${unseen}te ${unseen}`)).toBe("gate");
});

test.each([
  ["a Persian word", "می\u200cخواهم"],
  ["a Hindi word", "क्\u200dष"],
  ["a family emoji", "👩\u200d👧 ❤\ufe0f"],
])("%s keeps its characters", (_, name) => {
  expect(cleanRepositoryName(name)).toBe(name);
});

test.each(["\u200d", " \u200c\u200b ", "\ufe0f", "\u2066\u2069"])(
  "the invisible %j is not a name",
  (name) => {
    expect(cleanRepositoryName(name)).toBe("");
  },
);
