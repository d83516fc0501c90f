import { afterAll, expect, test } from "vitest";
import { newBrowser, sendRefused } from "../support/client.ts";
import { mailEventsOf, named } from "../support/mail-events.ts";
import { anEvent, HARD_BOUNCE, sendEvent, WEBHOOK, WEBHOOK_SECRET } from "../support/webhook.ts";
import { startGatehouse } from "../support/worker.ts";

const MINUTE_MS = 60_000;

const gatehouse = await startGatehouse({
  vars: { RESEND_WEBHOOK_SECRET: WEBHOOK_SECRET },
});
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { mailTo, refusalOf, aSentMail } = mailEventsOf(gatehouse);

test("a request that is forged, altered, unsigned, early or old is refused and changes nothing", async () => {
  const mail = await aSentMail();
  const event = anEvent("bounced", { ...named(mail), ...HARD_BOUNCE });
  const away = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);
  const requests: Parameters<typeof sendEvent>[2][] = [
    { secret: `whsec_${btoa("another secret of this length")}` },
    { body: JSON.stringify(event).replace("Permanent", "Transient") },
    { headers: { "svix-id": "msg_other" } },
    { headers: { "svix-timestamp": String(Math.floor(Date.now() / 1000) - 1) } },
    { headers: { "svix-timestamp": "soon" } },
    { headers: { "svix-signature": "" } },
    { headers: { "svix-signature": "v1,AAAA v1a,BBBB v1" } },
    { signedAt: away(-6) },
    { signedAt: away(6) },
    { body: "" },
  ];

  for (const request of requests) {
    const response = await sendEvent(gatehouse, event, request);
    expect([request, response.status, await response.text()]).toEqual([request, 401, ""]);
    expect(response.headers.get("x-d1-calls")).toBe("0");
  }

  expect(await mailTo(mail.email)).toMatchObject({ delivery: null });
  expect(await refusalOf(mail.email)).toBeNull();
  const { text } = await gatehouse.logged("mail.webhook_refused");
  expect(text).not.toContain(mail.email);
  expect(text).not.toContain(WEBHOOK_SECRET.slice(6));
});

test("an accepted event sets no cookie and makes one database call", async () => {
  const mail = await aSentMail();

  const event = anEvent("delivered", { ...named(mail) });
  const response = await sendEvent(gatehouse, event);

  expect(response.status).toBe(200);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(response.headers.get("x-d1-calls")).toBe("1");
});

test("a body that is too large is refused, with and without its length", async () => {
  const bytes = new TextEncoder().encode("x".repeat(40_000));
  const chunked = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });

  for (const body of [() => "x".repeat(40_000), chunked]) {
    const response = await sendRefused(() => sendEvent(gatehouse, "{}", { body: body() }));
    expect([response.status, await response.text()]).toEqual([413, ""]);
  }
});

test("a signed body that is no event is refused, and an unknown event is accepted", async () => {
  const statusOf = async (event: object | string) => (await sendEvent(gatehouse, event)).status;

  for (const body of ["{", "[]", "null", '"email.bounced"', "{}", '{"type":"email.bounced"}']) {
    expect([body, await statusOf(body)]).toEqual([body, 400]);
  }
  for (const type of ["opened", "clicked", "of_another_year"]) {
    expect(await statusOf(anEvent(type, {}))).toBe(200);
  }
  // Another product may use the same account at the provider.
  expect(await statusOf(anEvent("bounced", HARD_BOUNCE))).toBe(200);
  expect(await refusalOf("someone@example.com")).toBeNull();
});

test("only POST is answered, and nothing without the secret", async () => {
  const browser = newBrowser(gatehouse);
  expect((await browser.get(WEBHOOK)).status).toBe(405);
  expect((await browser.request(WEBHOOK, { method: "PUT", body: "{}" })).status).toBe(405);
  await using without = await startGatehouse();

  const response = await sendEvent(without, anEvent("bounced", HARD_BOUNCE));

  expect([response.status, await response.text()]).toEqual([404, ""]);
});
