import { expect, test } from "vitest";
import { domainOf, domainsAbove, readDomain } from "./email-domain.ts";

test.each([
  ["example.com", "example.com"],
  [" @Example.COM. ", "example.com"],
  ["Bücher.example", "xn--bcher-kva.example"],
  ["ＥＸＡＭＰＬＥ.com", "example.com"],
  ["مثال.إختبار", "xn--mgbh0fb.xn--kgbechtv"],
  ["a.b-c.example.co.ke", "a.b-c.example.co.ke"],
])("%j is the domain %s", (text, domain) => {
  expect(readDomain(text)).toBe(domain);
});

test.each([
  "",
  "com",
  "example",
  "ada@example.com",
  "https://example.com",
  "example.com/path",
  "example.com:25",
  "*.example.com",
  "-a.example.com",
  "a..example.com",
  "a_b.example.com",
  "127.0.0.1",
  "[::1]",
  "0x7f.1",
  "%65xample.com",
  "exa mple.com",
  `${"a".repeat(64)}.com`,
  `${"a.".repeat(130)}com`,
])("%j is no domain", (text) => {
  expect(readDomain(text)).toBeUndefined();
});

test("a domain stands under the domains that it ends with", () => {
  expect(domainsAbove(domainOf("ada@Mail.Example.com"))).toEqual([
    "mail.example.com",
    "example.com",
    "com",
  ]);
});
