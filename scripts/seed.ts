// npm run seed -- --users 100000 --organizations 20000 --things 10000

import { createDb } from "../app/db/db.server.ts";
import { DEFAULT_SIZE } from "../app/features/samples/sample-data.server.ts";
import { mostOrganizations } from "../app/features/samples/sample-organizations.server.ts";
import { seed } from "../app/features/samples/seed.server.ts";
import { SERVER_FEATURES } from "../app/features.server.ts";
import { applyMigrations, withLocalDatabase } from "./database.ts";
import { fail, readOptions, showProgress, step } from "./terminal.ts";

const options = readOptions(
  {
    users: { type: "string" },
    organizations: { type: "string" },
    things: { type: "string" },
  },
  "npm run seed -- [--users 100000] [--organizations 20000] [--things 10000]",
);
const size = {
  users: toCount("users", options.users) ?? DEFAULT_SIZE.users,
  organizations: toCount("organizations", options.organizations) ?? DEFAULT_SIZE.organizations,
  things: toCount("things", options.things) ?? DEFAULT_SIZE.things,
};
const most = mostOrganizations(size.users);
if (options.organizations !== undefined && size.organizations > most) {
  fail(`--organizations ${size.organizations} needs more users: these fill ${most} at most.`);
}

await step(
  "seed",
  () => withLocalDatabase(fill),
  () =>
    `${format(size.users)} users and ${format(Math.min(size.organizations, most))} organizations are in the local database`,
);

async function fill(d1: D1Database) {
  await applyMigrations(d1);
  await seed(createDb(d1), size, new Date(), SERVER_FEATURES.samples, (table, done, total) => {
    showProgress(`  ${table.padEnd(14)} ${format(done)} of ${format(total)}`);
  });
}

function toCount(name: string, value: string | undefined) {
  if (value === undefined) return undefined;
  return /^\d+$/.test(value)
    ? Number(value)
    : fail(`--${name} takes a whole number, not ${value}.`);
}

function format(count: number) {
  return count.toLocaleString("en");
}
