import { expect, test } from "vitest";
import { nextRequestAt, paceAfter } from "./pace.ts";

const AT = 1_000_000;

function answer(remaining: number, reset: number | string) {
  return { "ratelimit-remaining": String(remaining), "ratelimit-reset": String(reset) };
}

test("after the last request of a window the next one waits for its end", () => {
  const first = paceAfter(undefined, answer(1, 1), AT);
  expect(nextRequestAt(first)).toBe(0);

  const second = paceAfter(first, answer(0, 1), AT + 300);

  // The provider rounds 0.7 s up to 1 s; its first answer knows the end better.
  expect(nextRequestAt(second)).toBe(AT + 1_000);
});

test("an answer that leaves more than the one before begins a new window", () => {
  const before = paceAfter(undefined, answer(1, 1), AT);
  const after = paceAfter(before, answer(1, 1), AT + 900);

  expect(nextRequestAt(paceAfter(after, answer(0, 1), AT + 950))).toBe(AT + 1_900);
});

test("a window that is over says nothing about the next one", () => {
  const before = paceAfter(undefined, answer(1, 1), AT);

  expect(nextRequestAt(paceAfter(before, answer(0, 1), AT + 5_000))).toBe(AT + 6_000);
  expect(paceAfter(before, {}, AT + 5_000)).toBeUndefined();
});

test("a request without an answer uses one of the window", () => {
  const before = paceAfter(undefined, answer(1, 1), AT);

  expect(nextRequestAt(paceAfter(before, null, AT + 10))).toBe(AT + 1_000);
});

test.each([undefined, null, {}, answer(0, "soon"), answer(0, -1)])(
  "without figures (%j) requests leave one after another",
  (headers) => {
    expect(nextRequestAt(paceAfter(undefined, headers, AT))).toBe(0);
  },
);
