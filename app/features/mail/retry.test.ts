import { expect, test } from "vitest";
import { nextTryDelayMs, pauseOf, toOutcome } from "./retry.ts";

function refused(statusCode: number | null, name = "application_error", headers = {}) {
  return toOutcome({ data: null, error: { name, message: "", statusCode }, headers });
}

test("an accepted mail has the provider's id", () => {
  expect(toOutcome({ data: { id: "re_1" }, error: null })).toEqual({
    kind: "sent",
    providerId: "re_1",
  });
});

test.each([null, 408, 500, 502, 503, 401, 403])("%s is retried", (status) => {
  expect(refused(status).kind).toBe("retry");
});

test.each([400, 404, 405, 409, 413, 422])("%s is not retried", (status) => {
  expect(refused(status).kind).toBe("failed");
});

test("a request in progress under the same key is retried; a used key means that the mail was sent", () => {
  expect(refused(409, "concurrent_idempotent_requests").kind).toBe("retry");
  expect(refused(409, "invalid_idempotent_request").kind).toBe("sent");
});

test("retry-after is respected", () => {
  const outcome = refused(503, "application_error", { "retry-after": "42" });
  expect(outcome).toMatchObject({ kind: "retry", retryAfterMs: 42_000 });
  expect(nextTryDelayMs(1, 42_000, 0)).toBe(42_000);
});

test.each([
  [{ "retry-after": "3" }, 3_000],
  [{ "ratelimit-reset": "1" }, 1_000],
  [{}, 1_000],
  [{ "retry-after": "999999" }, 3_600_000],
])("a 429 with %j is no try, and waits %i ms", (headers, waitMs) => {
  expect(refused(429, "rate_limit_exceeded", headers)).toEqual({ kind: "limited", waitMs });
});

test.each([
  ["daily", "2026-11-28T00:00:00.000Z"],
  ["monthly", "2026-12-01T00:00:00.000Z"],
] as const)("a used-up %s quota is no failed try, and ends when it is renewed", (quota, until) => {
  const now = new Date("2026-11-27T23:30:00Z");

  expect(refused(429, `${quota}_quota_exceeded`)).toEqual({ kind: "quota", quota });
  expect(pauseOf(quota, now).until.toISOString()).toBe(until);
  expect(pauseOf(quota, now).retryAt <= new Date(now.getTime() + 3_600_000)).toBe(true);
});

test("the wait doubles up to a quarter of an hour, with jitter in its upper half", () => {
  expect(nextTryDelayMs(1, undefined, 0)).toBe(2_500);
  expect(nextTryDelayMs(1, undefined, 1)).toBe(5_000);
  expect(nextTryDelayMs(4, undefined, 1)).toBe(40_000);
  expect(nextTryDelayMs(30, undefined, 1)).toBe(900_000);
});
