import { afterAll, expect, test } from "vitest";
import { clientEndpoints } from "../../../../tests/support/endpoints.ts";
import { featureUrls } from "../../../../tests/support/feature-tests.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { anAdmin, aUser } from "../../../../tests/support/people.ts";
import { isFull } from "../../../../tests/support/thoroughness.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";

// Random inputs, the same in each run. An unexpected error in the log fails the test too.

const ROUNDS = isFull ? 300 : 12;
const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser } = await anAdmin(gatehouse);
const target = await aUser(gatehouse);
const { organization } = await anOrganization(gatehouse, {}, { owner: admin });
const ofFeatures = Object.values(await featureUrls(gatehouse, organization));
const cookies = new Map(browser.cookies);

const NAMES =
  "id userId email newEmail name role roles data token sessionToken accountId otp banReason banExpiresIn reason permissions permission organizationId organizationSlug slug metadata logo invitationId memberId memberIdOrEmail teamId limit offset filterField filterValue filterOperator searchValue sortBy sortDirection __proto__ constructor".split(
    " ",
  );
const VALUES = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, "", " ", "0", "-1", "a".repeat(64)],
  ...["x".repeat(5_000), "\u0000", "\ud800", "%", "'; --", "admin", "user,admin", "king", "\u202e"],
  ...["no e-mail", "a@example.com", "é@example.com", "2026-11-27T00:00:00Z", "eq", "in", "asc"],
  ...[
    target.id,
    target.email,
    organization.id,
    organization.slug,
    ...ofFeatures,
    "nobody-has-this",
  ],
  ...[[], {}, ["a", "b"], [[]], { name: "x" }, { email: 7 }, { role: "king" }, { user: ["ban"] }],
];

/** Returns a source of whole numbers below a limit (a linear congruential generator). */
function numbersFrom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}

for (const [index, [path, { method, input }]] of Object.entries(clientEndpoints).entries()) {
  const { shape }: { shape?: object } = Object(input);
  // Mostly fields that the endpoint has.
  const names = [
    ...Array(8)
      .fill(Object.keys(shape ?? {}))
      .flat(),
    ...NAMES,
  ];
  test(`${path} answers or refuses ${ROUNDS} random inputs, and fails on none`, async () => {
    const pick = numbersFrom(index);
    for (let round = 0; round < ROUNDS; round++) {
      const fields = Array.from({ length: pick(6) }, (): [string, unknown] => [
        names[pick(names.length)] ?? "",
        VALUES[pick(VALUES.length)],
      ]);
      // An impersonation or the end of the session would make the next call another one.
      browser.cookies.clear();
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      const url = `/api/auth${path}`;
      const query = fields.map(([name, value]) => [name, String(value).toWellFormed()]);
      const answer = await (method === "GET"
        ? browser.get(`${url}?${new URLSearchParams(query)}`)
        : browser.api(url, Object.fromEntries(fields)));
      expect([fields, answer.status < 500]).toEqual([fields, true]);
      const { code }: { code?: unknown } = Object(JSON.parse(await answer.text()));
      if (answer.status >= 400) expect([fields, typeof code]).toEqual([fields, "string"]);
    }
  });
}
