// npm start, npm run dev: sets up everything that a fresh clone needs, and runs Gatehouse.
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { createDb, type Db } from "../app/db/db.server.ts";
import { DEFAULT_SIZE, type Samples } from "../app/features/samples/sample-data.server.ts";
import { seed } from "../app/features/samples/seed.server.ts";
import { SERVER_FEATURES } from "../app/features.server.ts";
import { MAIL_PROVIDER } from "../app/values/platform-limits.ts";
import { build, describeBuild } from "./build.ts";
import { applyMigrations, withLocalDatabase } from "./database.ts";
import { prepareDevVars } from "./dev-vars.ts";
import { run } from "./run.ts";
import { fail, readOptions, step } from "./terminal.ts";
import { RESEND_LIMIT, startMailbox } from "./weather/mailbox.ts";
import { readWeather, WEATHER_FRONT, WEATHERS } from "./weather/weathers.ts";
import { LOCAL_STATE, startWorker } from "./worker.ts";

const DEFAULT_PORT = 8787;
const MINUTE_MS = 60_000;

const options = readOptions(
  { dev: { type: "boolean" }, port: { type: "string" }, weather: { type: "string" } },
  "npm start -- [--port 8788] [--weather stalls]",
);
const command = options.dev ? "npm run dev" : "npm start";
const port = options.port === undefined ? DEFAULT_PORT : Number(options.port);
const origin = `http://localhost:${port}`;
const weather = readWeather(options.weather);

// Ctrl-C is the normal end and no failure. Child processes end with this process.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));

if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  fail(`${options.port} is not a port. Choose one such as: ${command} -- --port 8788`);
}
if (await isTaken(port)) failTaken();

console.log("Gatehouse");
const { vars } = await step("settings", prepareDevVars, ({ change }) => `.dev.vars ${change}`);
const demonstration = vars.DEMO === "true" ? SERVER_FEATURES.demonstration : undefined;
// Links, cookies and origin checks use the requested port, whatever the settings say.
const override: Record<string, string> = options.port === undefined ? {} : { BASE_URL: origin };
if (weather) override.WEATHER = weather;
if (weather === "mail") Object.assign(override, await startMailProvider());
await step(
  "database",
  () => withLocalDatabase(prepareDatabase),
  (message) => message,
);
await (options.dev ? develop() : serve());

async function prepareDatabase(d1: D1Database) {
  const applied = await applyMigrations(d1);
  const migrated = applied.length === 0 ? "up to date" : `${applied.length} migrations applied`;
  const isEmpty = !(await d1.prepare("SELECT 1 FROM user LIMIT 1").first());
  if (!isEmpty && !demonstration) return migrated;
  // Adds only missing rows, so a database that already has sample data gets the demonstration accounts too.
  const addSample = demonstration?.addSample ?? addDefaultSample;
  const size = await addSample(createDb(d1), new Date(), SERVER_FEATURES.samples);
  return `${migrated}, sample data added: ${size.users} users, ${size.organizations} organizations`;
}

async function addDefaultSample(db: Db, now: Date, samples: readonly Samples[]) {
  await seed(db, DEFAULT_SIZE, now, samples);
  return DEFAULT_SIZE;
}

/** Starts the provider of the weather "mail", whose mails are printed. Returns the settings for it. */
async function startMailProvider() {
  const provider = await startMailbox({
    onMail: ({ to, subject, code, link }) =>
      console.log(`  mail to ${to}: ${subject} ${code} ${link}`),
  });
  provider.limitTo(RESEND_LIMIT);
  provider.limitMailsTo(MAIL_PROVIDER.freeMailsADay);
  return { RESEND_API_KEY: provider.apiKey, RESEND_BASE_URL: provider.url };
}

async function serve() {
  const result = await step("build", build, describeBuild);
  if (!result.ok) fail(result.output);

  const worker = await startWorker({
    port,
    persist: LOCAL_STATE,
    isRegistered: true,
    vars: { ...vars, ...override },
    front: weather && WEATHER_FRONT,
  }).catch((error) => {
    if (error.code === "ERR_ADDRESS_IN_USE") failTaken();
    throw error;
  });
  // Does the work of wrangler.toml's cron triggers: sends waiting mail, and prunes.
  repeat(() => worker.runScheduled(), MINUTE_MS);
  repeat(() => worker.runHourly(), 60 * MINUTE_MS);
  printWelcome();
}

/** Does some work now and again after each interval. */
function repeat(work: () => Promise<void>, intervalMs: number) {
  const attempt = () => work().catch(console.error);
  void attempt();
  setInterval(attempt, intervalMs);
}

async function develop() {
  void announceWhenUp();
  const args = ["dev", "--port", String(port), "--strictPort"];
  const { code } = await run("react-router", args, { env: override });
  process.exit(code);
}

/** Waits for the dev server, which clears the terminal when it starts. */
async function announceWhenUp() {
  while (!(await isTaken(port))) await setTimeout(200);
  printWelcome();
  setInterval(() => {
    fetch(`${origin}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`).catch(console.error);
  }, MINUTE_MS);
}

function printWelcome() {
  const { manager, app, codes } = demonstration ? welcomeTo(demonstration.accounts) : welcome();
  console.log(`
  ${origin}

  Manager    ${manager}
  App        ${app}
  Codes      ${codes}
${weather ? `  Weather    ${weather}: ${WEATHERS[weather]}\n` : ""}
  Ctrl-C stops it.
`);
}

function welcome() {
  const manager = vars.ADMIN_EMAILS?.split(",")[0]?.trim();
  return {
    manager: manager
      ? `sign in as ${manager}`
      : "name an e-mail in ADMIN_EMAILS of .dev.vars first",
    app: "sign in as anyone else",
    codes:
      weather === "mail"
        ? "are printed here"
        : vars.RESEND_API_KEY
          ? "arrive by mail"
          : `arrive at ${origin}/dev/inbox`,
  };
}

function welcomeTo({ user, manager }: Record<"user" | "manager", { email: string }>) {
  return {
    manager: `sign in as ${manager.email}`,
    app: `sign in as ${user.email}`,
    codes: "are shown on the screen after the e-mail",
  };
}

/** True when something listens on a port of this machine, on IPv4 or IPv6, because "localhost" may mean either. */
async function isTaken(port: number) {
  const answers = await Promise.all(["127.0.0.1", "::1"].map((host) => doesAnswer(host, port)));
  return answers.includes(true);
}

function doesAnswer(host: string, port: number) {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port });
  socket.on("connect", () => resolve(true));
  socket.on("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

function failTaken(): never {
  const free = port === DEFAULT_PORT ? DEFAULT_PORT + 1 : DEFAULT_PORT;
  fail(
    `Port ${port} is taken. Stop what uses it, or choose another port: ${command} -- --port ${free}`,
  );
}
