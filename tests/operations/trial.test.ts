import { afterAll, expect, test } from "vitest";
import { anOperator } from "../support/operator.ts";

// From a fresh clone to a trial and to a site with a domain, one command after the other. See setup.test.ts.

const MAIL = { RESEND_API_KEY: "re_secret" };

const operator = await anOperator();
const { api, resend, npm, npx, readToml, writes } = operator;
// As a new account of Cloudflare is.
Object.assign(api.settings, { isPaid: false, isR2Enabled: true, subdomain: "" });
afterAll(() => operator[Symbol.asyncDispose]());

const worker = () => api.workers.get("gatehouse");
const bindingOf = (name: string) =>
  worker()?.versions[0]?.bindings.find((binding) => binding.name === name);
const databaseOf = (name: string) => api.databases.find((database) => database.name === name);

test("wrangler deploy alone brings a fresh clone to workers.dev", async () => {
  api.settings.subdomain = "operator";

  const deployed = await npx(["wrangler", "deploy", "--env", ""]);

  expect(deployed.output).toContain("https://gatehouse.operator.workers.dev");
  expect(deployed.code).toBe(0);
  expect(worker()).toMatchObject({ isOnWorkersDev: true, hasPreviews: false, domains: [] });
  expect(bindingOf("DB")?.id).toBe(databaseOf("gatehouse")?.uuid);
});

test("a trial asks nothing: without a key of Resend it is a demonstration", async () => {
  api.settings.subdomain = "";
  api.settings.isR2Enabled = false;

  const trial = await npm("setup", ["--trial"]);

  expect(trial.output).toContain("left out, because R2 is not switched on");
  expect(api.settings.subdomain).toMatch(/^gatehouse-[0-9a-f]{6}$/);
  const url = `https://gatehouse.${api.settings.subdomain}.workers.dev`;
  expect(trial.output).toContain(`${url}/login choose a sample account`);
  expect(trial.code).toBe(0);
  expect(worker()).toMatchObject({ isOnWorkersDev: true, domains: [] });
  expect([...(worker()?.secrets.keys() ?? [])]).toEqual(["BETTER_AUTH_SECRET"]);
  expect(bindingOf("DEMO")?.text).toBe("true");
  expect(bindingOf("BASE_URL")?.text).toBe(url);
  expect(bindingOf("AVATARS")).toBeUndefined();
  expect(bindingOf("DB")?.id).toBe(databaseOf("gatehouse-demo")?.uuid);

  const [toml, changes] = [await readToml(), writes()];
  expect((await npm("setup", ["--trial"])).code).toBe(0);
  expect([await readToml(), writes()]).toEqual([toml, changes]);
});

test("with a key the trial sends mail, and has a database of its own", async () => {
  const secret = worker()?.secrets.get("BETTER_AUTH_SECRET");

  // The owner of the Cloudflare account is the default, but Resend knows that person by another e-mail.
  const refused = await npm("setup", ["--trial"], MAIL);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain("Resend sends nothing to operator@example.com: You can only");
  expect(refused.output).toContain("give that e-mail as --admin");

  const trial = await npm("setup", ["--trial", "--admin", resend.owner], MAIL);
  expect(trial.output).toContain(`/login as ${resend.owner}`);
  expect(trial.code).toBe(0);
  expect(resend.sent).toEqual([resend.owner]);
  expect(bindingOf("DEMO")?.text).toBe("false");
  expect(bindingOf("MAIL_FROM")?.text).toBe("Gatehouse <onboarding@resend.dev>");
  expect(bindingOf("ADMIN_EMAILS")?.text).toBe(resend.owner);
  expect(bindingOf("DB")?.id).toBe(databaseOf("gatehouse")?.uuid);
  expect(worker()?.secrets.get("BETTER_AUTH_SECRET")).toBe(secret);
  expect(worker()?.secrets.get("RESEND_API_KEY")).toBe("re_secret");

  const again = await npm("setup", ["--trial"]);
  expect(again.code).toBe(0);
  expect(bindingOf("DEMO")?.text).toBe("false");
});

test("setup moves the trial to a domain and keeps its data", async () => {
  resend.domains = [{ name: "example.com", status: "verified" }];
  const missing = await npm("setup", ["--yes"]);
  expect(missing.output).toContain("--host: is missing.");
  const database = bindingOf("DB")?.id;
  const secret = worker()?.secrets.get("BETTER_AUTH_SECRET");

  const sender = "Example <no-reply@example.com>";
  const moved = await npm("setup", ["--yes", "--host", "app.example.com", "--sender", sender]);

  expect(moved.output).toContain(`https://app.example.com/login as ${resend.owner}`);
  expect(moved.code).toBe(0);
  expect(worker()).toMatchObject({ isOnWorkersDev: false, domains: ["app.example.com"] });
  expect(bindingOf("BASE_URL")?.text).toBe("https://app.example.com");
  expect(bindingOf("DB")?.id).toBe(database);
  expect(worker()?.secrets.get("BETTER_AUTH_SECRET")).toBe(secret);

  const back = await npm("setup", ["--trial"]);
  expect(back.code).toBe(1);
  expect(back.output).toContain("a trial is for a site without a domain");
});

test("no command of wrangler needed another server", () => {
  expect(api.unknown).toEqual([]);
  expect(operator.refused).toEqual([]);
});
