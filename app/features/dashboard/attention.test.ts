import { expect, test } from "vitest";
import { needsAttention } from "./attention.ts";

const none = { count: 0 };
const nothing = {
  mailsFailed: none,
  mailsBounced: none,
  mailsComplained: none,
  mailsWaiting: none,
  codesFailed: none,
};

test("only what is not zero needs attention, the most urgent first", () => {
  const counts = {
    ...nothing,
    mailsWaiting: { count: 245 },
    codesFailed: { count: 1 },
    mailsFailed: { count: 50, isMore: true },
  };
  expect(needsAttention(counts)).toEqual([
    { kind: "mailsFailed", count: 50, isMore: true },
    { kind: "codesFailed", count: 1 },
    { kind: "mailsWaiting", count: 245 },
  ]);
  expect(needsAttention(nothing)).toEqual([]);
});
