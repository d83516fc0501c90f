import { expect, test } from "vitest";
import { needsAttention } from "./attention.ts";

const none = { count: 0 };
const nothing = {
  mailsFailed: none,
  mailsBounced: none,
  mailsComplained: none,
  mailsWaiting: none,
  codesFailed: none,
  wrongCodes: none,
  notOnboarded: none,
};

test("only what is not zero needs attention, the most urgent first", () => {
  const counts = {
    ...nothing,
    notOnboarded: { count: 245 },
    wrongCodes: { count: 1 },
    mailsFailed: { count: 50, isMore: true },
  };
  expect(needsAttention(counts)).toEqual([
    { kind: "mailsFailed", count: 50, isMore: true },
    { kind: "wrongCodes", count: 1 },
    { kind: "notOnboarded", count: 245 },
  ]);
  expect(needsAttention(nothing)).toEqual([]);
});
