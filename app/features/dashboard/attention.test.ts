import { expect, test } from "vitest";
import { needsAttention } from "./attention.ts";

const nothing = {
  ...{ mailsFailed: 0, mailsBounced: 0, mailsComplained: 0, mailsWaiting: 0 },
  ...{ codesFailed: 0, wrongCodes: 0, notOnboarded: 0 },
};

test("only what is not zero needs attention, failed mails first", () => {
  expect(needsAttention({ ...nothing, notOnboarded: 245, mailsFailed: 3 })).toEqual({
    items: [
      { kind: "mailsFailed", count: 3 },
      { kind: "notOnboarded", count: 245 },
    ],
    isComplete: true,
  });
});

test("nothing needs attention when all counts are zero", () => {
  expect(needsAttention(nothing)).toEqual({ items: [], isComplete: true });
});

test("counts that are not known yet are not complete", () => {
  expect(needsAttention({ ...nothing, mailsFailed: null, wrongCodes: 1 })).toEqual({
    items: [{ kind: "wrongCodes", count: 1 }],
    isComplete: false,
  });
});
