import { aUser, newEmail, type Person } from "./people.ts";
import type { Gatehouse } from "./worker.ts";

let crowds = 0;

/** Makes users that one search finds: "crowd3 001" and so on. Returns the word, and the path of the search. */
export async function aCrowd(gatehouse: Gatehouse, count: number, overrides: Partial<Person> = {}) {
  crowds += 1;
  const word = `crowd${crowds}x${process.pid}`;
  for (let index = 1; index <= count; index++) {
    await aUser(gatehouse, {
      name: `${word} ${String(index).padStart(3, "0")}`,
      email: newEmail(word),
      ...overrides,
    });
  }
  return { word, search: `/manager/users?searchTerm=${word}&sort=name&direction=asc` };
}
