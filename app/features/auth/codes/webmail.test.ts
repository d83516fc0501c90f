import { expect, test } from "vitest";
import { webmailOf } from "./webmail.ts";

test.each([
  ["lina@gmail.com", "Gmail"],
  ["lina@GoogleMail.com", "Gmail"],
  ["lina@outlook.fr", "Outlook"],
  ["lina@msn.com", "Outlook"],
  ["lina@proton.me", "Proton Mail"],
  ["lina@example.com", undefined],
  ["gmail.com@example.com", undefined],
  ["lina@notgmail.com", undefined],
  ["lina@gmail.com.example.com", undefined],
])("%s is read in %s", (email, name) => {
  expect(webmailOf(email)?.name).toBe(name);
});
