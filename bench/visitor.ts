import type { RunningWorker } from "../scripts/worker.ts";
import { newBrowser, readText } from "../tests/support/client.ts";
import { askForCode, aUser, enterCode } from "../tests/support/people.ts";

/** Signs a new admin in through the screens, with the code from the local inbox; answers their cookies. */
export async function signInAdmin(worker: RunningWorker, origin: string): Promise<string> {
  // A name of its own: the rows may be kept from one run to the next.
  const { email } = await aUser(worker, {
    role: "admin",
    email: `${crypto.randomUUID()}@example.com`,
  });
  const browser = newBrowser({ url: worker.url, origin });
  await askForCode(browser, email);
  const inbox = await browser.get("/dev/inbox");
  const code = /\b\d{6}\b/.exec(readText(await inbox.text()))?.[0] ?? "";
  const response = await enterCode(browser, email, code);
  if (response.status !== 302) throw new Error(`The sign-in answered ${response.status}`);
  return [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}
