import { setTimeout } from "node:timers/promises";
import { JOURNEY_BOUNDS } from "../../bench/bounds.ts";
import { addPasskey, newAuthenticator, signInWithPasskey } from "./authenticator.ts";
import { type Browser, newBrowser } from "./client.ts";
import type { IdentityProvider } from "./oidc.ts";
import {
  aSignedInUser,
  askForCode,
  aUser,
  aUserSignedInByCode,
  enterCode,
  newEmail,
  waitOutCooldown,
} from "./people.ts";
import type { Gatehouse } from "./worker.ts";

export type JourneyName = keyof typeof JOURNEY_BOUNDS;

/** Journeys from the login screen to the first screen, and their bounds. */
export const JOURNEYS = Object.entries(JOURNEY_BOUNDS).map(([name, atMost]) => ({
  // `Object.entries` forgets the names.
  name: name as JourneyName,
  atMost,
}));

/** One request of a journey. */
export type Step = {
  path: string;
  status: number;
  rounds: number;
  rowsWritten: number;
  rowsRead: number;
  /** Milliseconds that D1 reports. */
  time: number;
};

const DAY_MS = 86_400_000;

type JourneySetup = { gatehouse: Gatehouse; provider: IdentityProvider; adminEmail: string };

/**
 * Walks one journey of a probed product. Returns its requests in order, and the rows that the mail
 * sender has written for it.
 */
export async function walk(
  name: JourneyName,
  setup: JourneySetup,
): Promise<{ steps: Step[]; rowsBySender: number }> {
  const { gatehouse } = setup;
  const go = await WALKS[name](setup);
  // An isolate reads what the login page shows of the settings at most twice a minute, so this visit is not counted.
  const before = await rowsBySender(gatehouse);
  const { browser, steps } = newCountingBrowser(gatehouse);
  await browser.get("/login");
  await go(browser);
  return { steps: [...steps], rowsBySender: (await rowsBySender(gatehouse)) - before };
}

type Walk = (browser: Browser) => Promise<void>;

/** What has to be there before each journey, and the journey itself. */
const WALKS: Record<JourneyName, (setup: JourneySetup) => Promise<Walk>> = {
  async "a returning user signs in with a code"({ gatehouse }) {
    const { user } = await aUserSignedInByCode(gatehouse);
    await seeYesterday(gatehouse, user.id);
    return (browser) => enterNewCode(browser, gatehouse, user.email);
  },
  async "a returning user signs in with a code on a known device"({ gatehouse }) {
    const { user, browser: known } = await aUserSignedInByCode(gatehouse);
    return async (browser) => {
      for (const [name, value] of known.cookies) {
        if (!name.endsWith(".session_token")) browser.cookies.set(name, value);
      }
      waitOutCooldown(browser);
      await enterNewCode(browser, gatehouse, user.email);
    };
  },
  async "a returning user signs in with a passkey"({ gatehouse }) {
    const { authenticator, user } = await aPasskey(gatehouse);
    await seeYesterday(gatehouse, user.id);
    return async (browser) => {
      const answer = await signInWithPasskey(browser, authenticator);
      const { url }: { url: string } = JSON.parse(await answer.text());
      await toFirstScreen(browser, await browser.get(url));
    };
  },
  async "a returning user signs in with a provider"({ gatehouse, provider }) {
    const user = await aUser(gatehouse);
    provider.setVisitor({ email: user.email, name: user.name });
    await signInThroughProvider(newBrowser(gatehouse), provider);
    await seeYesterday(gatehouse, user.id);
    return async (browser) => {
      await toFirstScreen(browser, await signInThroughProvider(browser, provider));
    };
  },
  async "a new user signs up and gives a name"({ gatehouse }) {
    return async (browser) => {
      await enterNewCode(browser, gatehouse, newEmail("new"));
      await toFirstScreen(browser, await browser.submit("/onboarding", { name: "Zuri" }));
    };
  },
  async "the first admin signs up and sees the dashboard"({ gatehouse, adminEmail }) {
    return async (browser) => {
      await enterNewCode(browser, gatehouse, adminEmail);
      await toFirstScreen(browser, await browser.submit("/onboarding", { name: "Zuri" }));
    };
  },
};

/** Makes the next visit of a user the first of its day. */
async function seeYesterday({ d1 }: Pick<Gatehouse, "d1">, id: string): Promise<void> {
  for (const [table, column] of [
    ["user", "id"],
    ["session", "user_id"],
  ]) {
    const sql = `UPDATE ${table} SET last_seen_at = ? WHERE ${column} = ?`;
    await d1
      .prepare(sql)
      .bind(Date.now() - DAY_MS, id)
      .run();
  }
}

/** Counts what the first visit of a day writes, in a session that goes on. */
export async function visitAgain(gatehouse: Gatehouse): Promise<Step[]> {
  const { browser: known, user } = await aSignedInUser(gatehouse);
  await seeYesterday(gatehouse, user.id);
  const { browser, steps } = newCountingBrowser(gatehouse);
  for (const [name, value] of known.cookies) browser.cookies.set(name, value);
  await toFirstScreen(browser, await browser.get("/app"));
  return [...steps];
}

/** Returns the rows that the sender has written since the worker began, once no mail waits. */
async function rowsBySender(gatehouse: Gatehouse): Promise<number> {
  const isWaiting = gatehouse.d1.prepare("SELECT 1 FROM mail_outbox WHERE state = 'waiting'");
  while (await isWaiting.first()) await setTimeout(20);
  const { headers } = await newBrowser(gatehouse).get("/login");
  return Number(headers.get("x-d1-rows-by-objects") ?? Number.NaN);
}

async function enterNewCode(browser: Browser, gatehouse: Gatehouse, email: string) {
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  await toFirstScreen(browser, await enterCode(browser, email, code));
}

async function toFirstScreen(browser: Browser, answer: Response): Promise<void> {
  const screen = await browser.follow(answer);
  await screen.arrayBuffer();
}

async function aPasskey(gatehouse: Gatehouse) {
  const { browser, user } = await aUserSignedInByCode(gatehouse);
  const authenticator = newAuthenticator({ origin: gatehouse.origin });
  const added = await addPasskey(browser, authenticator);
  if (added.status !== 200) throw new Error(await added.text());
  return { authenticator, user };
}

/** Signs in at the provider and returns the response to the callback. */
async function signInThroughProvider(
  browser: Browser,
  provider: IdentityProvider,
): Promise<Response> {
  const pressed = await browser.submit("/login", { intent: "social", provider: "oidc" });
  const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
  return browser.get(back.pathname + back.search);
}

/** Adds a figure of all steps. */
export function totalOf(
  steps: Step[],
  figure: "rounds" | "rowsWritten" | "rowsRead" | "time",
): number {
  return steps.reduce((total, step) => total + step[figure], 0);
}

/** Makes a browser that records the cost of each request. Needs a probed product. */
function newCountingBrowser(gatehouse: Gatehouse) {
  const steps: Step[] = [];
  const browser = newBrowser(gatehouse, {
    headers: { "x-d1-whole": "yes" },
    onAnswer(path, { status, headers }) {
      const count = (name: string) => Number(headers.get(name) ?? Number.NaN);
      steps.push({
        path: path.replace(/\?.*/, ""),
        status,
        rounds: count("x-d1-rounds"),
        rowsWritten: count("x-d1-rows-written"),
        rowsRead: count("x-d1-rows-read"),
        time: count("x-d1-time"),
      });
    },
  });
  return { browser, steps };
}
