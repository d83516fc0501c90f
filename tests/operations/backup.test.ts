import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Manifest } from "../../scripts/backup/manifest.ts";
import { copyMigratedDatabase } from "../support/migrated-database.ts";
import { anAdmin, aSignedInUser, aUserSignedInByCode } from "../support/people.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

// The real commands run on the local state of a copy of wrangler.toml, one after the other, as an operator's do.

const ROOT = resolve(import.meta.dirname, "../..");
const PORT = 9_942;
const SECRET = `${crypto.randomUUID()}${crypto.randomUUID()}`;
/** A line end, and what D1's export takes for one. */
const DESCRIPTION = "First line\nC:\\new is a folder, it's one\nlast";

const site = await mkdtemp(join(tmpdir(), "gatehouse-site-"));
const state = join(site, ".wrangler/state/v3");
const config = join(site, "wrangler.toml");
const backup = join(site, "backup");
afterAll(() => rm(site, { recursive: true, force: true }));

/** Runs a command on the local state. Returns its exit code and what it printed. */
async function command(script: string, ...args: string[]) {
  const given = ["scripts/bootstrap.cjs", `scripts/${script}.ts`, "--local", "--config", config];
  const child = spawn(process.execPath, [...given, ...args], { cwd: ROOT });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise<number | null>((done) => child.on("close", done));
  return { code, output };
}

/** Makes an empty migrated database. */
async function makeState(): Promise<void> {
  await rm(join(site, ".wrangler"), { recursive: true, force: true });
  await using data = await copyMigratedDatabase();
  await cp(data.folder, state, { recursive: true });
}

async function withGatehouse<Result>(work: (gatehouse: Gatehouse) => Promise<Result>) {
  const vars = { BETTER_AUTH_SECRET: SECRET };
  await using gatehouse = await startGatehouse({
    vars,
    folder: state,
    port: PORT,
  });
  return await work(gatehouse);
}

/** Makes people, a repository with line ends and a picture. */
async function fill(gatehouse: Gatehouse) {
  const { d1 } = gatehouse;
  const avatars = await gatehouse.getBucket("AVATARS");
  const { user, browser } = await aUserSignedInByCode(gatehouse, { name: "Zawadi Mwangi" });
  const admin = await anAdmin(gatehouse);
  await admin.browser.submit("/manager/repositories/new", {
    name: "Tools",
    link: "https://example.com/tools",
    description: DESCRIPTION,
  });
  await d1.prepare("UPDATE user SET avatar = 'portrait' WHERE id = ?").bind(user.id).run();
  await avatars.put("portrait", "bytes of a picture", { customMetadata: { user: user.id } });
  return { browser, admin: admin.browser, userId: user.id };
}

/** Everything that must be as before: rows of each table, the results of searches, pictures and the texts. */
async function snapshot({ d1, getBucket }: Gatehouse) {
  const avatars = await getBucket("AVATARS");
  const { results: tables } = await d1
    .prepare(
      "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '!_cf%' ESCAPE '!' AND name <> 'd1_migrations'",
    )
    .all<{ name: string }>();
  const rows: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    const { results } = await d1.prepare(`SELECT * FROM "${name}"`).all();
    const lines = results.map((row) => JSON.stringify({ ...row, last_seen_at: null }));
    rows[name] = lines.sort().map((line) => JSON.parse(line));
  }
  const { results: triggers } = await d1
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
    .all();
  const picture = await avatars.get("portrait");
  return {
    rows,
    triggers,
    picture: await picture?.text(),
    owner: picture?.customMetadata,
  };
}

test("a backup is restored into an empty deployment: same rows, same sessions, same searches", async () => {
  const toml = await readFile(join(ROOT, "wrangler.toml"), "utf8");
  await writeFile(
    config,
    toml.replaceAll('"migrations"', JSON.stringify(join(ROOT, "migrations"))),
  );
  await makeState();
  const { browser, admin, userId } = await withGatehouse(fill);
  const before = await withGatehouse(snapshot);
  expect(before.rows.repository).toMatchObject([{ description: DESCRIPTION }]);

  // A folder that others may read is there already.
  await mkdir(backup, { mode: 0o755 });
  const saved = await command("backup", backup);
  expect(saved).toMatchObject({ code: 0 });
  expect((await stat(backup)).mode & 0o077).toBe(0);
  const files = await readdir(backup, { recursive: true });
  const modes = files.map(async (path) => (await stat(join(backup, path))).mode & 0o077);
  expect(new Set(await Promise.all(modes))).toEqual(new Set([0]));
  expect(await command("restore", backup)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/has 2 users, and nothing was changed/),
  });

  await rm(join(site, ".wrangler"), { recursive: true });
  expect(await command("restore", backup)).toMatchObject({
    code: 0,
    output: expect.stringContaining("the same rows as the backup"),
  });

  expect(await withGatehouse(snapshot)).toEqual(before);
  expect(before.owner).toEqual({ user: userId });
  await withGatehouse(async (gatehouse) => {
    expect((await browser.get("/app")).status).toBe(200);
    for (const term of ["awadi", "Zawadi"]) {
      const page = await (await admin.get(`/manager/users?searchTerm=${term}`)).text();
      expect(page).toContain("Zawadi Mwangi");
    }
    // Triggers work again: a new user is counted and recorded once.
    await aSignedInUser(gatehouse, { name: "Newcomer" });
    const found = await (await admin.get("/manager/users?searchTerm=newcomer")).text();
    expect(found).toContain("Newcomer");
  });
});

test("a damaged or incomplete backup is refused before anything changes", async () => {
  const before = await withGatehouse(snapshot);
  const manifest: Manifest = JSON.parse(await readFile(join(backup, "manifest.json"), "utf8"));
  const picture = manifest.objects[0]?.path ?? "";
  const bytes = await readFile(join(backup, picture));
  bytes[4] = (bytes[4] ?? 0) ^ 1;
  await writeFile(join(backup, picture), bytes);
  await rm(join(backup, manifest.database.path));

  expect(await command("restore", backup, "--replace")).toMatchObject({
    code: 1,
    output: expect.stringMatching(
      /nothing was changed: database\.sql is missing; buckets\/AVATARS\/\S+ is damaged/,
    ),
  });
  expect(await withGatehouse(snapshot)).toEqual(before);
});
