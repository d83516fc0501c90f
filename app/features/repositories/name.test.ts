import { expect, test } from "vitest";
import { repositoryNameKey } from "./name.ts";

test.each([
  ["Gatehouse", " gatehouse "],
  ["ÉCOLE", "école"],
  ["e\u0301cole", "école"],
  ["ＧＡＴＥ", "gate"],
  ["Straße", "STRASSE"],
  ["ΣΊΣΥΦΟΣ", "σίσυφος"],
  ["ﬁle", "file"],
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
