import { expect, test } from "vitest";
import { isolateLtr } from "../../ui/text/isolate.ts";
import { APP_URL_MAX_LENGTH, MAX_APIS, MAX_REDIRECT_URIS } from "./limits.ts";
import {
  applicationTypeOf,
  readApiUrls,
  readRedirectUris,
  readStartPage,
} from "./redirect-uris.ts";

test.each([
  "https://app.example.com/callback",
  "https://app.example.com",
  "https://app.example.com:8443/a/b?tenant=1",
  "http://localhost:3000/callback",
  "http://127.0.0.1/",
  "http://[::1]:5173/callback",
  "https://xn--mnchen-3ya.example/callback",
])("%s is a redirect URI of both kinds", (uri) => {
  expect(readRedirectUris(uri, "server")).toEqual({ ok: true, uris: [uri] });
  expect(readRedirectUris(uri, "public")).toEqual({ ok: true, uris: [uri] });
});

test("only public apps have a scheme of their own", () => {
  const uri = "com.example.app:/callback";
  expect(readRedirectUris(uri, "public")).toEqual({ ok: true, uris: [uri] });
  expect(readRedirectUris(uri, "server")).toMatchObject({ ok: false, why: "scheme" });
});

test.each([
  ["https://a@b", "userInfo"],
  ["https://a:b@c.example/", "userInfo"],
  ["https://@c.example/", "spelling"],
  ["HTTPS://A.example/../x", "spelling"],
  ["https://A.example/x", "spelling"],
  ["https://a.example/%2e%2e/x", "spelling"],
  ["https://a.example:443/x", "spelling"],
  ["https:a.example/x", "spelling"],
  ["https:\\\\a.example\\x", "spelling"],
  ["https://münchen.example/", "spelling"],
  ["https://a.example/é", "spelling"],
  ["http://127.1/", "spelling"],
  ["http://2130706433/", "spelling"],
  ["http://LOCALHOST/", "spelling"],
  ["http://[0:0:0:0:0:0:0:1]/", "spelling"],
  ["https://a.example/x#", "fragment"],
  ["https://a.example/#/x", "fragment"],
  ["https://*.example/", "wildcard"],
  ["https://a.example/*", "wildcard"],
  ["http://a.example/", "scheme"],
  ["http://localhost.evil.com", "scheme"],
  ["http://localhost./", "scheme"],
  ["http://127.0.0.1.evil.com/", "scheme"],
  ["http://0.0.0.0/", "scheme"],
  ["javascript:alert(1)", "scheme"],
  ["JAVASCRIPT:alert(1)", "scheme"],
  ["data:text/html,x", "scheme"],
  ["vbscript:x", "scheme"],
  ["file:///etc/passwd", "scheme"],
  ["blob:https://a.example/1", "scheme"],
  ["myapp:/callback", "scheme"],
  ["com.example.app:callback", "scheme"],
  ["com.example.app://host/callback", "scheme"],
  ["com..app:/callback", "scheme"],
  ["urn:ietf:wg:oauth:2.0:oob", "scheme"],
  ["a.example/callback", "invalid"],
  ["//a.example/callback", "invalid"],
  ["https://", "invalid"],
  ["https://a b/", "invalid"],
  ["https://a.example/a b", "invalid"],
  ["https://a.example/\tx", "invalid"],
  ["https://a.example/\u200bx", "invalid"],
  ["https://a.example/\u202ex", "invalid"],
  ["x", "invalid"],
  [`https://a.example/${"x".repeat(2_082)}`, "tooLong"],
  [`https://a.example/${"x".repeat(APP_URL_MAX_LENGTH - 17)}`, "tooLong"],
])("%s is none: %s", (uri, why) => {
  expect(readRedirectUris(uri, "public")).toMatchObject({ ok: false, why, line: 1 });
  expect(readRedirectUris(uri, "server")).toMatchObject({ ok: false, line: 1 });
});

test("one of the greatest length is one", () => {
  const uri = `https://a.example/${"x".repeat(APP_URL_MAX_LENGTH - 18)}`;
  expect(readRedirectUris(uri, "server")).toEqual({ ok: true, uris: [uri] });
});

test("a wrong spelling is answered with the right one", () => {
  expect(readRedirectUris("HTTPS://A.example/../x", "server")).toMatchObject({
    written: "https://a.example/x",
  });
  expect(readRedirectUris("https://münchen.example/", "server")).toMatchObject({
    written: "https://xn--mnchen-3ya.example/",
  });
});

test("empty lines count as lines, duplicates once", () => {
  const [one, other] = ["https://a.example/1", "https://a.example/2"];
  expect(readRedirectUris(`${one}\r\n\r\n  ${other} \n${one}\n`, "server")).toEqual({
    ok: true,
    uris: [one, other],
  });
  expect(readRedirectUris(`${one}\r\n\r\nx`, "server")).toMatchObject({ why: "invalid", line: 3 });
  expect(readRedirectUris(" \n", "server")).toEqual({ ok: true, uris: [] });
});

test("one that was copied from a message is one", () => {
  const uri = "https://a.example/x";
  expect(readRedirectUris(` ${isolateLtr(uri)} `, "server")).toEqual({ ok: true, uris: [uri] });
});

test("there may be so many", () => {
  const some = (count: number) =>
    Array.from({ length: count }, (_, index) => `https://a.example/${index}`).join("\n");
  expect(readRedirectUris(some(MAX_REDIRECT_URIS), "server")).toMatchObject({ ok: true });
  expect(readRedirectUris(some(MAX_REDIRECT_URIS + 1), "server")).toEqual({
    ok: false,
    why: "tooMany",
  });
});

test.each([
  "https://api.example.com",
  "https://api.example.com/",
  "https://api.example.com/v1",
  "http://localhost:4000/api",
  "http://[::1]:4000",
])("%s is the URL of a server", (url) => {
  expect(readApiUrls(`\n${url}\n`)).toEqual({ ok: true, uris: [url] });
});

test.each([
  ["http://api.example.com", "scheme"],
  ["com.example.api:/v1", "scheme"],
  ["urn:example:api", "scheme"],
  ["https://api.example.com/#v1", "fragment"],
  ["https://api.example.com#", "fragment"],
  ["https://*.example.com/", "wildcard"],
  ["https://key@api.example.com/", "userInfo"],
  ["https://API.example.com/", "spelling"],
  ["api.example.com", "invalid"],
  [`https://a.example/${"x".repeat(APP_URL_MAX_LENGTH)}`, "tooLong"],
])("%s is none of a server: %s", (url, why) => {
  expect(readApiUrls(`https://a.example/\n${url}`)).toMatchObject({ ok: false, why, line: 2 });
});

test("an app may have so many servers", () => {
  const some = (count: number) =>
    Array.from({ length: count }, (_, index) => `https://a.example/${index}`).join("\n");
  expect(readApiUrls(some(MAX_APIS))).toMatchObject({ ok: true });
  expect(readApiUrls(some(MAX_APIS + 1))).toEqual({ ok: false, why: "tooMany" });
  expect(readApiUrls("")).toEqual({ ok: true, uris: [] });
});

test.each([
  ["https://app.example.com", "https://app.example.com/"],
  ["http://localhost:3000/", "http://localhost:3000/"],
  ["http://app.example.com/", undefined],
  ["https://me:secret@app.example.com/", undefined],
  ["javascript:alert(1)", undefined],
  ["com.example.app:/start", undefined],
  ["app.example.com", undefined],
  [`https://a.example/${"x".repeat(APP_URL_MAX_LENGTH)}`, undefined],
])("the start page %s is %s", (typed, expected) => {
  expect(readStartPage(typed)).toBe(expected);
});

test("a public app that returns to a device is native", () => {
  expect(applicationTypeOf("public", ["https://a.example/"])).toBe("web");
  expect(applicationTypeOf("public", ["https://a.example/", "http://localhost/"])).toBe("native");
  expect(applicationTypeOf("public", ["com.example.app:/callback"])).toBe("native");
  expect(applicationTypeOf("server", ["http://localhost/"])).toBe("web");
});
