import { expect, test } from "vitest";
import { pageStateOf } from "./invitation-state.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const LATER = new Date("2026-11-23T12:00:00Z");
const OPEN: Parameters<typeof pageStateOf>[0] = {
  email: "amina@example.com",
  status: "pending",
  expiresAt: LATER,
  isValid: true,
};

test.each(["amina@example.com", undefined])("an open invitation is open for %s", (email) => {
  expect(pageStateOf(OPEN, email, NOW)).toBe("open");
});

test.each([
  ["expired", { expiresAt: NOW }],
  ["cancelled", { status: "canceled" }],
  ["used", { status: "accepted" }],
  ["used", { status: "rejected" }],
  ["invalid", { isValid: false }],
] as const)("an invitation is %s: %o", (state, change) => {
  expect(pageStateOf({ ...OPEN, ...change }, OPEN.email, NOW)).toBe(state);
});

test.each([{}, { expiresAt: NOW }, { status: "accepted" }, { isClosed: true }] as const)(
  "a reader with another e-mail learns nothing else",
  (change) => {
    expect(pageStateOf({ ...OPEN, ...change }, "other@example.com", NOW)).toBe("foreign");
  },
);
