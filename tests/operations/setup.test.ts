import { afterAll, expect, test } from "vitest";
import { anOperator } from "../support/operator.ts";

// The real scripts run in a copy of the project, one after the other, as an operator's commands do. Each command of
// wrangler takes seconds, so the tests share one copy.

const FLAGS = ["--host", "app.example.com", "--sender", "Example <no-reply@example.com>"];
const ANSWERS = [...FLAGS, "--admin", "admin@example.com", "--resend-key", "re_secret"];

const operator = await anOperator();
const { api, resend, site, npm, readToml, writes } = operator;
afterAll(() => operator[Symbol.asyncDispose]());

test("a dry run and wrong answers change nothing, and name the cure", async () => {
  const shipped = await readToml();
  const runs = await Promise.all([
    npm("setup", [...ANSWERS, "--dry-run"]),
    npm("setup", [...ANSWERS, "--host", "localhost"]),
    npm("setup", [...FLAGS, "--admin", "admin"]),
    npm("setup", ["--yes"]),
    npm("setup", [...ANSWERS, "--plan", "business"]),
    npm("deploy", []),
    npm("setup", [...ANSWERS, "--no-bucket", "--dry-run"]),
    npm("setup", [...ANSWERS, "--plan", "paid", "--dry-run"]),
  ]);

  expect(runs.map(({ code }) => code)).toEqual([0, 1, 1, 1, 1, 1, 0, 0]);
  const [dry, host, admin, empty, plan, deploy, bare, paid] = runs.map(({ output }) => output);
  expect(dry).toContain("Create the database gatehouse\n");
  expect(dry).toContain("Nothing was changed.");
  expect(dry).toContain("The free plan is for trying Gatehouse.");
  expect(paid).not.toContain("The free plan is for trying Gatehouse.");
  expect(dry).toContain("gatehouse-avatars");
  expect(bare).not.toContain("gatehouse-avatars");
  expect(host).toContain('"localhost" is no domain of your own. Give one such as app.example.com');
  expect(admin).toContain('"admin" is no e-mail.');
  expect(empty).toContain("--host: is missing.");
  expect(plan).toContain('"business" is neither free nor paid.');
  expect(deploy).toContain("Run npm run setup first.");
  expect(await readToml()).toBe(shipped);
  expect(api.changes).toEqual([]);
});

test("each failure names its cure, and the next run goes on", async () => {
  const unverified = await npm("setup", ANSWERS);
  expect(unverified.code).toBe(1);
  expect(unverified.output).toContain("Resend has not verified example.com yet (pending).");
  expect(unverified.output).toContain("https://resend.com/domains");
  resend.domains[0] = { name: "example.com", status: "verified" };

  site.isForeign = true;
  const takenHost = await npm("setup", ANSWERS);
  expect(takenHost.code).toBe(1);
  expect(takenHost.output).toContain("Another site answers at app.example.com.");
  expect(takenHost.output).toContain("--replace-host");
  site.isForeign = false;

  const wrongToken = await npm("setup", ANSWERS, { CLOUDFLARE_API_TOKEN: "cf_wrong" });
  expect(wrongToken.code).toBe(1);
  expect(wrongToken.output).toMatch(/token is wrong or lacks a right.*CLOUDFLARE_API_TOKEN/);

  api.addWorker("gatehouse");
  const takenName = await npm("setup", ANSWERS);
  expect(takenName.code).toBe(1);
  expect(takenName.output).toContain("There is a worker gatehouse already, of another project.");
  expect(takenName.output).toContain("Choose another name: --name");
  api.workers.delete("gatehouse");
  expect(api.changes).toEqual([]);

  api.settings.isR2Enabled = false;
  const noR2 = await npm("setup", [...ANSWERS, "--location", "weur", "--placement"]);
  expect(noR2.code).toBe(1);
  expect(noR2.output).toContain("Switch on R2 in Cloudflare's dashboard");
  expect(api.databases).toMatchObject([{ location: "weur" }]);
  api.settings.isR2Enabled = true;

  api.settings.isPaid = false;
  const noPaidPlan = await npm("setup", [...ANSWERS, "--plan", "paid"]);
  expect(noPaidPlan.code).toBe(1);
  expect(noPaidPlan.output).toContain("The account has the free plan, which accepts no CPU limit");
});

test("setup goes on to a running site, and again changes nothing", async () => {
  // The answers are in wrangler.toml since the half-done setup.
  const finished = await npm("setup", ["--yes", "--plan", "free"], { RESEND_API_KEY: "re_secret" });

  expect(finished.output).toContain("https://app.example.com/login as admin@example.com");
  expect(finished.code).toBe(0);
  const worker = api.workers.get("gatehouse");
  expect(worker?.domains).toEqual(["app.example.com"]);
  expect(worker).toMatchObject({ isOnWorkersDev: false, hasPreviews: false });
  expect(worker?.crons).toHaveLength(2);
  expect(worker?.secrets.get("RESEND_API_KEY")).toBe("re_secret");
  const secret = worker?.secrets.get("BETTER_AUTH_SECRET") ?? "";
  expect(secret.length).toBeGreaterThanOrEqual(43);
  const toml = await readToml();
  expect(finished.output + toml).not.toContain(secret);
  expect(finished.output + toml).not.toContain("re_secret");
  expect(toml).not.toContain("[limits]");
  expect(toml).toContain('[placement]\nregion = "aws:eu-central-1"');
  expect(toml).toContain(`database_id = "${api.databases[0]?.uuid}"`);
  expect(worker?.versions[0]?.bindings.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["DB", "AVATARS", "BASE_URL"]),
  );

  const changes = writes();
  const staging = await npm("setup", [
    ...["--staging", "--yes", "--host", "staging.example.com", "--dry-run"],
  ]);
  expect(staging.output).toContain("Check the sender Example <no-reply@example.com> at Resend");
  expect(staging.code).toBe(0);

  const again = await npm("setup", ["--yes"]);
  expect(again.code).toBe(0);
  expect(again.output).toContain("Create the database gatehouse: already done");
  expect(writes()).toEqual(changes);
  expect(worker?.secrets.get("BETTER_AUTH_SECRET")).toBe(secret);
  expect(await readToml()).toBe(toml);
});

test("a deployment that is not ready names the way back", async () => {
  const worker = api.workers.get("gatehouse");
  const before = worker?.deployments[0]?.versionId;
  const current = await npm("deploy", []);
  expect(current.code).toBe(0);
  expect(worker?.deployments[0]?.versionId).toBe(before);

  site.isReady = false;
  const failed = await npm("deploy", []);
  expect(failed.code).toBe(1);
  expect(failed.output).toContain("/ready answers 503");
  expect(failed.output).toContain(`npx wrangler rollback ${before} --yes`);
  expect(failed.output).toContain("npx wrangler d1 time-travel restore DB --timestamp=");
  site.isReady = true;
});

test("no command of wrangler needed another server", () => {
  expect(api.unknown).toEqual([]);
  expect(operator.refused).toEqual([]);
});
