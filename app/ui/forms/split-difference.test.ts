import { expect, test } from "vitest";
import { splitDifference } from "./split-difference.ts";

test.each([
  ["One Two Three", "One 2 Three", ["One ", "Two", " Three"]],
  ["Ada King", "Ada Lovelace", ["Ada ", "King", ""]],
  ["Ada", "Grace", ["", "Ada", ""]],
  ["One\nTwo", "One\r\nThree", ["One\n", "Two", ""]],
  ["a a", "a a a", ["a a", "", ""]],
])("%j beside %j is split into %j", (text, other, parts) => {
  expect(Object.values(splitDifference(text, other))).toEqual(parts);
});
