import type { Browser } from "../tests/support/client.ts";
import { JOURNEYS, type Step, totalOf, visitAgain, walk } from "../tests/support/journeys.ts";
import { startIdentityProvider } from "../tests/support/oidc.ts";
import { anAdmin, aSignedInUser, newEmail } from "../tests/support/people.ts";
import { listUrls } from "../tests/support/routes.ts";
import { startGatehouse } from "../tests/support/worker.ts";
import { DOCUMENTS_AFTER_CODE, PAGE_ROUNDS } from "./bounds.ts";
import type { Table } from "./figures.ts";

type Row = Table["rows"][number];

/**
 * Measures table 1: round trips and written rows from the login screen to the first screen, and the round trips of
 * pages.
 */
export async function measureJourneys(): Promise<Table> {
  const rows: Row[] = [];
  for (const { name, atMost } of JOURNEYS) {
    await using provider = await startIdentityProvider();
    const adminEmail = newEmail("boss");
    await using gatehouse = await startGatehouse({
      isAlone: true,
      vars: { ADMIN_EMAILS: adminEmail, ...provider.vars },
    });
    const { steps, rowsBySender } = await walk(name, { gatehouse, provider, adminEmail });
    rows.push({
      name,
      figures: [
        { value: totalOf(steps, "rounds"), atMost: atMost.rounds },
        { value: totalOf(steps, "rowsWritten") + rowsBySender, atMost: atMost.rowsWritten },
        { value: totalOf(steps, "rowsRead") },
        { value: totalOf(steps, "time"), unit: "ms" },
        name.includes("with a code")
          ? { value: documentsAfterCode(steps), atMost: DOCUMENTS_AFTER_CODE }
          : undefined,
      ],
      note: [
        ...steps.map(({ path, rounds }) => `${path} ${rounds}`),
        `rows by the mail sender ${rowsBySender}`,
      ].join(", "),
    });
  }
  return {
    title: "1. Journeys, from GET /login to the first screen",
    columns: ["round trips", "rows written", "rows read", "D1", "documents after the code"],
    rows: [...rows, ...(await measurePages())],
    remarks: [
      "Rows and D1 include what happens after the answer. Behind each row: round trips by request. With a known device the user",
      "was seen that day already; the other returning users come for the first time that day.",
    ],
  };
}

/** Counts the documents that a browser requests after the right code is entered. */
function documentsAfterCode(steps: Step[]): number {
  const entered = steps.findIndex(({ path }) => path === "/login/verify");
  return steps.slice(entered + 1).length;
}

/** Measures all pages for a signed-in user and a signed-in admin. */
async function measurePages(): Promise<Row[]> {
  await using gatehouse = await startGatehouse({ isAlone: true });
  const { browser: user } = await aSignedInUser(gatehouse);
  const { browser: admin } = await anAdmin(gatehouse);
  const trips = async (path: string) =>
    Math.max(await countTrips(user, path), await countTrips(admin, path));
  const counted: { path: string; trips: number }[] = [];
  for (const { pattern } of listUrls()) {
    const path = pattern.replaceAll(/:\w+|\*/g, "x");
    counted.push({ path, trips: await trips(path) });
  }
  const most = counted.toSorted((a, b) => b.trips - a.trips)[0];
  const visit = await visitAgain(gatehouse);
  return [
    {
      name: "a signed-in user comes back, first that day",
      figures: [
        { value: totalOf(visit, "rounds"), atMost: PAGE_ROUNDS },
        { value: totalOf(visit, "rowsWritten") },
        { value: totalOf(visit, "rowsRead") },
        { value: totalOf(visit, "time"), unit: "ms" },
      ],
      note: visit.map(({ path, rounds }) => `${path} ${rounds}`).join(", "),
    },
    {
      name: "any page, signed in",
      figures: [{ value: most?.trips ?? Number.NaN, atMost: PAGE_ROUNDS }],
      note: `${counted.length} URLs, most at ${most?.path}`,
    },
  ];
}

async function countTrips(browser: Browser, path: string): Promise<number> {
  const response = await browser.get(path);
  await response.arrayBuffer();
  return Number(response.headers.get("x-d1-calls") ?? Number.NaN);
}
