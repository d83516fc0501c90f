// npm run seed -- --users 100000 --repositories 10000
import { applyMigrations, withLocalDatabase } from "./database.ts";
import { DEFAULT_SIZE, seed } from "./sample-data.ts";
import { fail, readOptions, showProgress, step } from "./terminal.ts";

const options = readOptions(
  { users: { type: "string" }, repositories: { type: "string" } },
  "npm run seed -- [--users 100000] [--repositories 10000]",
);
const size = {
  users: toCount("users", options.users) ?? DEFAULT_SIZE.users,
  repositories: toCount("repositories", options.repositories) ?? DEFAULT_SIZE.repositories,
};

await step(
  "seed",
  () => withLocalDatabase(fill),
  () =>
    `${format(size.users)} users and ${format(size.repositories)} repositories are in the local database`,
);

async function fill(d1: D1Database) {
  await applyMigrations(d1);
  await seed(d1, size, (table, done, total) => {
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
