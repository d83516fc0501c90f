import { expect, test } from "vitest";
import { totalOf, walk } from "../../../../tests/support/journeys.ts";
import { startIdentityProvider } from "../../../../tests/support/oidc.ts";
import { newEmail } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { anEndpoint, startReceivers } from "./receiver.ts";

test("webhooks cost a sign-in a row for each that wants its event and one to wake its sender, and a statement after a POST", async () => {
  await using provider = await startIdentityProvider();
  await using receivers = await startReceivers();
  const signIn = async (wanted: string[][]) => {
    await using house = await startGatehouse({ vars: provider.vars, standIns: receivers.standIns });
    for (const actions of wanted) await anEndpoint(house, receivers.urlOf("one"), actions);
    const setup = { gatehouse: house, provider, adminEmail: newEmail("boss") };
    const { steps } = await walk("a returning user signs in with a code", setup);
    return {
      rounds: steps.map(({ path, rounds }) => [path, rounds]),
      rowsWritten: totalOf(steps, "rowsWritten"),
    };
  };

  const without = await signIn([]);
  const unwanted = await signIn([["user.banned"]]);
  const twice = await signIn([["user.signed_in"], ["user.signed_in", "user.banned"]]);

  const [login, asked, entered, screen] = without.rounds.map(([, rounds]) => Number(rounds));
  const rounds = [
    ["/login", login],
    ["/login", (asked ?? 0) + 1],
    ["/login/verify", (entered ?? 0) + 1],
    ["/app", screen],
  ];
  expect([unwanted.rounds, twice.rounds]).toEqual([rounds, rounds]);
  expect(unwanted.rowsWritten).toBe(without.rowsWritten);
  expect(twice.rowsWritten).toBe(without.rowsWritten + 2 * 2);
});
