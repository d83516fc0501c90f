// npm run seed -- --users 100000 --organizations 20000 --repositories 10000

import { createDb } from "../app/db/db.server.ts";
import { DEFAULT_SIZE } from "../app/features/samples/sample-data.server.ts";
import { mostOrganizations } from "../app/features/samples/sample-organizations.server.ts";
import { seed } from "../app/features/samples/seed.server.ts";
import { applyMigrations, withLocalDatabase } from "./database.ts";
import { fail, readOptions, showProgress, step } from "./terminal.ts";

const options = readOptions(
  {
    users: { type: "string" },
    organizations: { type: "string" },
    repositories: { type: "string" },
  },
  "npm run seed -- [--users 100000] [--organizations 20000] [--repositories 10000]",
);
const size = {
  users: toCount("users", options.users) ?? DEFAULT_SIZE.users,
  organizations: toCount("organizations", options.organizations) ?? DEFAULT_SIZE.organizations,
  repositories: toCount("repositories", options.repositories) ?? DEFAULT_SIZE.repositories,
};
const most = mostOrganizations(size.users);
if (options.organizations !== undefined && size.organizations > most) {
  fail(`--organizations ${size.organizations} needs more users: these fill ${most} at most.`);
}

await step(
  "seed",
  () => withLocalDatabase(fill),
  () =>
    `${format(size.users)} users, ${format(Math.min(size.organizations, most))} organizations and ${format(size.repositories)} repositories are in the local database`,
);

async function fill(d1: D1Database) {
  await applyMigrations(d1);
  await seed(createDb(d1), size, new Date(), (table, done, total) => {
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
