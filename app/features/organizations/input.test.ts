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
