import { expect, test } from "vitest";
import { meantEmail } from "./email-typo.ts";

test.each([
  ["ada@gmial.com", "ada@gmail.com"],
  ["ada@gmail.con", "ada@gmail.com"],
  ["ada@gmai.com", "ada@gmail.com"],
  ["ada@gmaill.com", "ada@gmail.com"],
  ["ada@hotmial.fr", "ada@hotmail.fr"],
  ["ada@outlok.com", "ada@outlook.com"],
  ["ada@gmail.com", undefined],
  ["ada@mail.com", undefined],
  ["ada@ymail.com", undefined],
  ["ada@example.com", undefined],
  ["ada@gnial.con", undefined],
])("%s probably means %s", (email, meant) => {
  expect(meantEmail(email)).toBe(meant);
});
