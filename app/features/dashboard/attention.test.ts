import { expect, test } from "vitest";
import { needsAttention } from "./attention.ts";

const none = { count: 0 };
const nothing = {
  ...{ peopleWaiting: none, mailsFailed: none, mailsBounced: none, mailsComplained: none },
  ...{ mailsWaiting: none, codesFailed: none, wrongCodes: none, notOnboarded: none },
};

test("only what is not zero needs attention, people who wait first", () => {
  const counts = {
    ...{ ...nothing, notOnboarded: { count: 245 }, peopleWaiting: { count: 1 } },
    mailsFailed: { count: 50, isMore: true },
  };
  expect(needsAttention(counts)).toEqual([
    { kind: "peopleWaiting", count: 1 },
    { kind: "mailsFailed", count: 50, isMore: true },
    { kind: "notOnboarded", count: 245 },
  ]);
  expect(needsAttention(nothing)).toEqual([]);
});
