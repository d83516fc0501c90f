import { expect, test } from "vitest";
import { SupportUrl } from "./support-url.ts";

test.each([
  ["https://acme.example/help?a=b", "https://acme.example/help?a=b"],
  ["help@acme.example", "mailto:help@acme.example"],
  [" MAILTO:Help@Acme.example ", "mailto:help@acme.example"],
  [undefined, null],
])("%s is where people get help", (typed, stored) => {
  expect(SupportUrl.parse(typed)).toBe(stored);
});

test.each([
  "http://acme.example",
  "mailto:help@acme.example?bcc=thief@evil.example",
  "mailto:help@acme.example,thief@evil.example",
  "mailto:",
  "javascript:alert(1)//help@acme.example",
  "data:text/html,help@acme.example",
  "help@acme",
])("%s is not", (typed) => {
  expect(SupportUrl.safeParse(typed).success).toBe(false);
});
