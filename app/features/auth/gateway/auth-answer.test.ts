import { expect, test } from "vitest";
import { cookiesOf, isWrongPasskey, readAnswer } from "./auth-answer.ts";

const SIGN_IN = "/sign-in/email-otp";
const CODE_REQUEST = "/email-otp/send-verification-otp";
const NEW_PASSKEY = "/passkey/verify-registration";

test("a body is returned without tokens, also without the session's", async () => {
  const body = { user: { id: "ada" }, token: "secret", session: { id: "s", token: "secret" } };

  const result = await readAnswer(SIGN_IN, Response.json(body));

  expect(result).toMatchObject({ ok: true });
  expect(result.ok && result.body).toEqual({ user: { id: "ada" }, session: { id: "s" } });
});

test("what does not leave is logged once, by name and without its value", async () => {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: string) => void lines.push(line);
  try {
    for (let count = 0; count < 2; count += 1) {
      const headers = { "set-auth-token": "secret" };
      await readAnswer("/a-plugin/path", Response.json({ token: "secret" }, { headers }));
    }
  } finally {
    console.log = log;
  }

  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      level: "info",
      event: "auth.held_back",
      path: "/a-plugin/path",
      parts: "set-auth-token, token",
    },
  ]);
});

test.each([
  ["no JSON", "<h1>Bad gateway</h1>"],
  ["nothing", ""],
  ["null", "null"],
  ["a text", '"ok"'],
])("a body of %s is read as an empty one", async (_what, text) => {
  const result = await readAnswer(SIGN_IN, new Response(text));

  expect(result.ok && result.body).toEqual({});
});

test.each([200, 400])(
  "the cookies of a %d are returned one by one, and no other header",
  async (status) => {
    const headers = new Headers({ "X-Powered-By": "better-auth", Location: "/elsewhere" });
    headers.append("Set-Cookie", "a=1; Expires=Sat, 21 Nov 2026 00:00:00 GMT");
    headers.append("Set-Cookie", "b=2");

    const result = await readAnswer(SIGN_IN, Response.json({}, { status, headers }));

    expect([...result.headers]).toEqual([
      ["set-cookie", "a=1; Expires=Sat, 21 Nov 2026 00:00:00 GMT"],
      ["set-cookie", "b=2"],
    ]);
    expect([...cookiesOf(headers)]).toEqual([...result.headers]);
  },
);

test.each([
  ["its own code and status", SIGN_IN, 400, { code: "INVALID_OTP" }, [400, "INVALID_OTP"]],
  ["429 without a code", SIGN_IN, 429, { message: "Slow" }, [429, "TOO_MANY_REQUESTS"]],
  ["404 without a code", SIGN_IN, 404, {}, [404, "NOT_FOUND"]],
  ["another 4xx without a code", SIGN_IN, 422, {}, [422, "INVALID_PAYLOAD"]],
  ["a code that is no text", SIGN_IN, 400, { code: 7 }, [400, "INVALID_PAYLOAD"]],
  ["5xx without a code", SIGN_IN, 502, {}, [502, "UNKNOWN_ERROR"]],
  [
    "a captcha that could not be asked",
    CODE_REQUEST,
    500,
    { code: "UNKNOWN_ERROR" },
    [503, "SERVICE_UNAVAILABLE"],
  ],
  ["the same code elsewhere", SIGN_IN, 500, { code: "UNKNOWN_ERROR" }, [500, "UNKNOWN_ERROR"]],
  [
    "a new passkey that does not verify",
    NEW_PASSKEY,
    500,
    { code: "FAILED_TO_VERIFY_REGISTRATION" },
    [400, "FAILED_TO_VERIFY_REGISTRATION"],
  ],
  [
    "an unknown passkey, like a wrong signature",
    "/passkey/verify-authentication",
    401,
    { code: "PASSKEY_NOT_FOUND" },
    [401, "AUTHENTICATION_FAILED"],
  ],
  [
    "a wrong signature, like an unknown passkey",
    "/passkey/verify-authentication",
    400,
    { code: "AUTHENTICATION_FAILED" },
    [401, "AUTHENTICATION_FAILED"],
  ],
])("%s is read by its rule", async (_what, path, status, body, [expectedStatus, code]) => {
  expect(await readAnswer(path, Response.json(body, { status }))).toMatchObject({
    ok: false,
    status: expectedStatus,
    code,
  });
});

test.each([
  [{ "Retry-After": "30" }, 30],
  [{ "X-Retry-After": "40" }, 40],
  [{ "Retry-After": "30", "X-Retry-After": "40" }, 30],
  [{ "Retry-After": "soon" }, undefined],
  [{}, undefined],
])("a refusal with %j may be tried again after %s seconds", async (headers, seconds) => {
  const result = await readAnswer(SIGN_IN, Response.json({}, { status: 429, headers }));

  expect(!result.ok && result.retryAfterSeconds).toBe(seconds);
});

test("a wrong passkey is a 500 when a passkey is added, and nowhere else", () => {
  expect(isWrongPasskey(NEW_PASSKEY, 500)).toBe(true);
  expect(isWrongPasskey(NEW_PASSKEY, 400)).toBe(false);
  expect(isWrongPasskey("/passkey/verify-authentication", 500)).toBe(false);
});
