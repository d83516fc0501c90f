import { expect, test } from "vitest";
import { personOption } from "./person-option.ts";

const ada = { name: "Ada", email: "ada@example.com" };
const otherAda = { name: "Ada", email: "ada@example.org" };
const grace = { name: "Grace", email: "grace@example.com" };
const nameless = { name: "", email: "new@example.com" };

test("a person is named by name, and by e-mail without one", () => {
  const people = [ada, grace, nameless];

  expect(people.map((person) => personOption(person, people))).toEqual([
    "Ada",
    "Grace",
    "new@example.com",
  ]);
});

test("people of one name have their e-mails beside it", () => {
  const people = [ada, otherAda, grace];

  expect(people.map((person) => personOption(person, people))).toEqual([
    "\u2068Ada\u2069 (\u2066ada@example.com\u2069)",
    "\u2068Ada\u2069 (\u2066ada@example.org\u2069)",
    "Grace",
  ]);
});
