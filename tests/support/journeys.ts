import {
  type Authenticator,
  addPasskey,
  newAuthenticator,
  signInWithPasskey,
} from "./authenticator.ts";
import { type Browser, newBrowser } from "./client.ts";
import type { IdentityProvider } from "./oidc.ts";
import { askForCode, aUser, aUserSignedInByCode, enterCode, newEmail } from "./people.ts";
import type { Gatehouse } from "./worker.ts";

/** `rounds` are database calls one after another; those beside each other are one. */
type Cost = { rounds: number; rowsWritten: number };

/** Journeys from the login screen to the first screen, and their budgets. */
export const JOURNEYS = [
  { name: "a returning user signs in with a code", atMost: { rounds: 9, rowsWritten: 30 } },
  { name: "a returning user signs in with a passkey", atMost: { rounds: 9, rowsWritten: 30 } },
  { name: "a returning user signs in with a provider", atMost: { rounds: 9, rowsWritten: 30 } },
  { name: "a new user signs up and gives a name", atMost: { rounds: 14, rowsWritten: 60 } },
  {
    name: "the first admin signs up and sees the dashboard",
    atMost: { rounds: 15, rowsWritten: 60 },
  },
] as const satisfies { name: string; atMost: Cost }[];

export type JourneyName = (typeof JOURNEYS)[number]["name"];

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

type JourneySetup = { gatehouse: Gatehouse; provider: IdentityProvider; adminEmail: string };

/** Walks one journey of a probed product and returns its requests in order. */
export async function walk(name: JourneyName, setup: JourneySetup): Promise<Step[]> {
  const { gatehouse } = setup;
  // An isolate reads what the login page shows of the settings at most twice a minute.
  await newBrowser(gatehouse).get("/login");
  const { browser, steps } = newCountingBrowser(gatehouse);
  await browser.get("/login");
  await walkers[name](browser, setup);
  return steps;
}

const walkers: Record<JourneyName, (browser: Browser, setup: JourneySetup) => Promise<void>> = {
  async "a returning user signs in with a code"(browser, { gatehouse }) {
    const { user } = await aUserSignedInByCode(gatehouse);
    await enterNewCode(browser, gatehouse, user.email);
  },
  async "a returning user signs in with a passkey"(browser, { gatehouse }) {
    const authenticator = await aPasskey(gatehouse);
    const answer = await signInWithPasskey(browser, authenticator);
    const { url }: { url: string } = JSON.parse(await answer.text());
    await toFirstScreen(browser, await browser.get(url));
  },
  async "a returning user signs in with a provider"(browser, { gatehouse, provider }) {
    const user = await aUser(gatehouse);
    provider.setVisitor({ email: user.email, name: user.name });
    const linking = newBrowser(gatehouse);
    await signInThroughProvider(linking, provider);
    await signInThroughProvider(browser, provider).then((back) => toFirstScreen(browser, back));
  },
  async "a new user signs up and gives a name"(browser, { gatehouse }) {
    await enterNewCode(browser, gatehouse, newEmail("new"));
    await toFirstScreen(browser, await browser.submit("/onboarding", { name: "Zuri" }));
  },
  async "the first admin signs up and sees the dashboard"(browser, { gatehouse, adminEmail }) {
    await enterNewCode(browser, gatehouse, adminEmail);
    await toFirstScreen(browser, await browser.submit("/onboarding", { name: "Zuri" }));
  },
};

async function enterNewCode(browser: Browser, gatehouse: Gatehouse, email: string) {
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  await toFirstScreen(browser, await enterCode(browser, email, code));
}

async function toFirstScreen(browser: Browser, answer: Response): Promise<void> {
  const screen = await browser.follow(answer);
  await screen.arrayBuffer();
}

async function aPasskey(gatehouse: Gatehouse): Promise<Authenticator> {
  const { browser } = await aUserSignedInByCode(gatehouse);
  const authenticator = newAuthenticator({ origin: gatehouse.origin });
  const added = await addPasskey(browser, authenticator);
  if (added.status !== 200) throw new Error(await added.text());
  return authenticator;
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
