import { expect } from "vitest";
import { type Browser, newBrowser } from "./client.ts";
import type { Gatehouse } from "./worker.ts";

/** Sends more requests than an IP address may, and returns the answer to a person at another one. */
export async function exhaustAddress(
  gatehouse: Gatehouse,
  send: (browser: Browser) => Promise<Response>,
  max: number,
): Promise<number> {
  const stranger = newBrowser(gatehouse, { ipAddress: "2001:db8:1:1::1" });
  let last = 0;
  for (let count = 0; count <= max; count++) {
    const answer = await send(stranger);
    await answer.arrayBuffer();
    last = answer.status;
  }
  expect(last).toBe(429);
  const neighbour = await send(newBrowser(gatehouse, { ipAddress: "2001:db8:1:2::1" }));
  await neighbour.arrayBuffer();
  return neighbour.status;
}
