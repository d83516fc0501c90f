import { expect, test } from "vitest";
import { initialsOf } from "./initials.ts";

test.each([
  ["Amina Yusuf", "AY"],
  ["Lina", "L"],
  ["Étienne de la Thévenet", "ÉT"],
  ["maelle.fournier6@example.com", "MF"],
  ["lina@example.com", "L"],
  ["هدى الشامي", "هـ"],
  ["الشامي", "ش"],
  ["زهراء Zawadi", "ز"],
  ["Zawadi زهراء", "Z"],
  ["Zo\u0308e 𝒜da", "Z𝒜"],
  ["@", "?"],
  ["", "?"],
])("the initials of %j are %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
