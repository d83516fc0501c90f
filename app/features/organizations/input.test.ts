import { expect, test } from "vitest";
import { InvitationsForm } from "./input.ts";

function read(emails: string) {
  const parsed = InvitationsForm.parse({ intent: "invite", emails });
  return parsed.intent === "invite" ? parsed.emails : [];
}

test("marks around a pasted e-mail are left out, those within it are kept", () => {
  expect(read(`'o'neil@example.com', "a@example.com". b@example.com.':`)).toEqual([
    ...["o'neil@example.com", "a@example.com", "b@example.com"],
  ]);
  expect(read(`@${".".repeat(9_997)}x`)).toEqual([`@${".".repeat(9_997)}x`]);
  expect(read(`''@'..'`)).toEqual(["@"]);
});

test.each([
  ["lea.acme.test, marc@acme.test", ["lea.acme.test", "marc@acme.test"]],
  ["lea.acme.test marc@acme.test", ["lea.acme.test", "marc@acme.test"]],
  ["Marc Dupont <marc@acme.test>; lea", ["marc@acme.test", "lea"]],
  ['"Dupont, Marc" <marc@acme.test>, "b@acme.test"', ["marc@acme.test", "b@acme.test"]],
  ["a@acme.test\nLea Marie <lea.acme.test>\n", ["a@acme.test", "lea.acme.test"]],
  ["a@acme.test Marc <marc@acme.test>", ["a@acme.test", "marc@acme.test"]],
  ["<marc@acme.test>", ["marc@acme.test"]],
  ["lea <", ["lea"]],
  ["ليا <lea@acme.test>، مارك", ["lea@acme.test", "مارك"]],
])("every word of %j is an e-mail to be checked, but the names before one", (text, words) => {
  expect(read(text)).toEqual(words);
});
