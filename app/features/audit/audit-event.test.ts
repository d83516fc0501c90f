import { expect, test } from "vitest";
import { type Party, sharedNames } from "./audit-event.ts";

function party(id: string, name: string | undefined, type = "user"): Party {
  return { id, type, name, email: `${id}@example.com`, avatar: null, isThere: true };
}
const amina = party("a", "Amina");

test("a name is shared when two people of the events have it", () => {
  const events = [
    { actor: amina, impersonator: undefined, target: party("o", "Olga") },
    { actor: party("b", "Olga"), impersonator: amina, target: amina },
  ];

  expect([...sharedNames(events)]).toEqual(["Olga"]);
});

test("people without a name and things share no name", () => {
  const events = [
    { actor: amina, impersonator: undefined, target: party("r", "Amina", "repository") },
    { actor: party("x", undefined), impersonator: undefined, target: party("y", undefined) },
  ];

  expect([...sharedNames(events)]).toEqual([]);
});
