import { expect, test } from "vitest";
import { isForeignToken, refusalOf, withBasic } from "./oauth-call.ts";
import { PROVIDER } from "./provider-paths.ts";

const headerOf = (alg: string) => btoa(JSON.stringify({ alg })).replaceAll("=", "");
const SIGNATURE = "x".repeat(342);

test("a secret of the body is moved into the header", () => {
  const sent = withBasic(new URLSearchParams("client_id=a%3Ab&client_secret=c&code=1"), null);

  expect(sent?.body.toString()).toBe("client_id=a%3Ab&code=1");
  expect(sent?.headers).toEqual({ Authorization: `Basic ${btoa("a%3Ab:c")}` });
});

test("an app without a secret is not changed, and one with two is refused", () => {
  const form = new URLSearchParams("client_id=a&client_secret=b");

  expect(withBasic(new URLSearchParams("client_id=a"), null)?.headers).toEqual({});
  expect(withBasic(form, "Basic x")).toBeUndefined();
  expect(withBasic(new URLSearchParams("code=1"), "Basic x")?.headers).toEqual({
    Authorization: "Basic x",
  });
});

test.each([
  [`${headerOf("RS256")}.e30.${SIGNATURE}`, false],
  ["an-opaque-token", false],
  ["", false],
  [`${headerOf("none")}.e30.`, true],
  [`${headerOf("HS256")}.e30.${SIGNATURE}`, true],
  [`${headerOf("RS256")}.e30.short`, true],
  [`not-json.e30.${SIGNATURE}`, true],
  ["a.b", true],
  ["a.b.c.d", true],
])("%s is foreign: %s", (token, isForeign) => {
  expect(isForeignToken(token)).toBe(isForeign);
});

test("errors have the names and the status of the specifications", () => {
  const refused = (error: string, error_description: string, status = 400) =>
    refusalOf(PROVIDER.token, status, { error, error_description });

  expect(refused("invalid_request", "code verification failed", 401)).toMatchObject({
    status: 400,
    error: "invalid_grant",
  });
  expect(refused("invalid_client", "missing client")).toMatchObject({ status: 401 });
  expect(refused("x", 'a "quoted"\r\nline', 400).description).toBe("a 'quoted'''line");
  expect(refusalOf(PROVIDER.token, 500, {})).toMatchObject({ status: 500, error: "server_error" });
  expect(refusalOf(PROVIDER.userinfo, 400, null)).toMatchObject({
    status: 401,
    error: "invalid_token",
  });
});
