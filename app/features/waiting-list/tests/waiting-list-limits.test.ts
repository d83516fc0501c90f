import { afterAll, expect, test } from "vitest";
import { saveAccess } from "../../../../tests/support/access-settings.ts";
import { type Browser, newBrowser } from "../../../../tests/support/client.ts";
import { exhaustAddress } from "../../../../tests/support/exhaust-address.ts";
import { anAdmin, newEmail } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { WAITING_LIST_LIMITS } from "../limits.ts";
import type { facts } from "./facts.ts";
import { offerList } from "./list-switch.ts";

// For each limit, a stranger uses it up as far as possible. Then another person still gets on the list.

const JOIN = "/login/waiting-list";

const gatehouse = await startGatehouse({ mail: "local" });
afterAll(() => gatehouse[Symbol.asyncDispose]());

const CASES: Record<(typeof facts.limits.shown)[number], () => Promise<unknown>> = {
  async "WAITING_LIST_LIMITS.byClient"() {
    const { browser } = await anAdmin(gatehouse);
    await offerList(gatehouse, browser, { signUpMode: "closed" });
    const join = (one: Browser) => one.submit(JOIN, { email: newEmail("wait") });
    expect(await exhaustAddress(gatehouse, join, WAITING_LIST_LIMITS.byClient.max)).toBe(302);
    await saveAccess(gatehouse, browser, { signUpMode: "open" });
  },
  async "WAITING_LIST_LIMITS.ofBusyNetworks"() {
    const accepted = await fillWaitingList((host) => `203.0.113.${host}`);
    const { ofBusyNetworks, fewOfNetwork } = WAITING_LIST_LIMITS;
    // After 15 of the 20, the others are let in as long as they have asked seldom.
    expect(accepted).toBe(ofBusyNetworks.max + 5 * fewOfNetwork.max);
  },
  async "WAITING_LIST_LIMITS.fewOfNetwork"() {
    const accepted = await fillWaitingList((host) => `2001:db8:9:${host.toString(16)}::1`);
    expect(accepted).toBe(WAITING_LIST_LIMITS.ofBusyNetworks.max);
  },
};

/** Asks ten times from each of 20 IP addresses. Then a person at another one is put on the list. */
async function fillWaitingList(ipAddressAt: (host: number) => string) {
  const { browser: admin } = await anAdmin(gatehouse);
  await offerList(gatehouse, admin, { signUpMode: "closed" });
  await gatehouse.d1.exec("DELETE FROM waiting_list");
  const join = async (browser: Browser) => {
    const answer = await browser.submit(JOIN, { email: newEmail("wait") });
    await answer.arrayBuffer();
    return answer.status;
  };
  let accepted = 0;
  for (let host = 1; host <= 20; host++) {
    const stranger = newBrowser(gatehouse, { ipAddress: ipAddressAt(host) });
    for (let count = 0; count < WAITING_LIST_LIMITS.byClient.max; count++) {
      if ((await join(stranger)) === 302) accepted++;
    }
  }
  expect(await join(newBrowser(gatehouse))).toBe(302);
  await saveAccess(gatehouse, admin, { signUpMode: "open" });
  return accepted;
}

test.each(Object.entries(CASES))(
  "a stranger who uses up %s leaves others working",
  async (_, isShown) => {
    await isShown();
  },
);
