import { afterAll, expect, test } from "vitest";
import { aWellKnownUser } from "../../../../tests/support/well-known-user.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

test("the file with the own data names the repositories that the user shared", async () => {
  const { user, browser } = await aWellKnownUser(gatehouse);

  const response = await browser.get("/app/account/data");

  expect(JSON.parse(await response.text()).sharedRepositories).toMatchObject([
    { organization: "Nyumbani", repository: `Shared-of-${user.id}` },
  ]);
});
