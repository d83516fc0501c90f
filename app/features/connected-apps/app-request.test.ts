import { expect, test } from "vitest";
import { formSourceOf, metBy, readAppRequest, searchAskedAt, withConsent } from "./app-request.ts";

const AT = new Date("2026-11-29T09:00:00Z");
const before = new Date(AT.getTime() - 1);

function requestOf(search: string) {
  return readAppRequest(new URLSearchParams(search));
}

test("parameters that the provider does not know are left out", () => {
  const { search, scopes, clientId } = requestOf(
    "client_id=a&scope=openid%20%20email&claims=%7B%7D&sig=x&redirect=%2Fapp&state=s",
  );

  expect(search.toString()).toBe("client_id=a&scope=openid++email&state=s");
  expect(scopes).toEqual(["openid", "email"]);
  expect(clientId).toBe("a");
});

test("a repeated parameter stays, so that the provider refuses it", () => {
  expect(requestOf("client_id=a&client_id=b").search.getAll("client_id")).toEqual(["a", "b"]);
});

test("the wish to select an account asks for a consent", () => {
  expect(requestOf("prompt=select_account").search.get("prompt")).toBe("consent");
});

test("a sign-in since the person was asked meets the demand for one", () => {
  const asked = requestOf(searchAskedAt(requestOf("prompt=login consent&max_age=60&state=s"), AT));

  expect(metBy(asked, AT).search.toString()).toBe("state=s&prompt=consent");
  expect(metBy(asked, before).search.toString()).toBe(asked.search.toString());
  expect(metBy(requestOf("prompt=login"), AT).search.get("prompt")).toBe("login");
});

test("a consent that was given is not asked for again", () => {
  expect(withConsent(requestOf("prompt=consent")).search.toString()).toBe("");
});

test.each([
  ["https://app.example.com/callback?x=1", "https://app.example.com"],
  ["http://127.0.0.1:51004/callback", "http://127.0.0.1:51004"],
  ["com.example.app:/callback", "com.example.app:"],
  ["not a URL", undefined],
])("a form may lead to %s by %s", (uri, source) => {
  expect(formSourceOf(uri)).toBe(source);
});
