import { expect, test } from "vitest";
import { timelineOf } from "./timeline.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
const origin = { ipAddress: null, place: null, device: undefined };

function aMail(overrides: object) {
  return {
    createdAt: at(0),
    state: "sent" as const,
    isLocal: false,
    sentAt: at(1),
    lastError: null,
    delivery: null,
    deliveryAt: null,
    deliveryReason: null,
    origin,
    requestId: "r1",
    ...overrides,
  };
}

function kindsOf(overrides: object): string[] {
  return timelineOf({ mails: [aMail(overrides)], steps: [], events: [] }).map(({ kind }) => kind);
}

test("a mail is told as what became of it, the newest first", () => {
  expect(kindsOf({})).toEqual(["mail.sent", "asked"]);
  expect(kindsOf({ isLocal: true })).toEqual(["mail.local", "asked"]);
  expect(kindsOf({ delivery: "delivered", deliveryAt: at(2) })).toEqual([
    "mail.delivered",
    "mail.sent",
    "asked",
  ]);
  expect(kindsOf({ delivery: "bounced", deliveryAt: at(2) })[0]).toBe("mail.returned");
  expect(kindsOf({ delivery: "delayed", deliveryAt: at(2) })[0]).toBe("mail.delayed");
  expect(kindsOf({ state: "failed", sentAt: null })).toEqual(["mail.failed", "asked"]);
});

test("a limited request says when the next mail could leave: nine minutes after the newest one before it", () => {
  const step = { outcome: "limited.mailbox" as const, count: 2, origin, requestId: null };
  const [limited] = timelineOf({
    mails: [aMail({ createdAt: at(0) }), aMail({ createdAt: at(4) }), aMail({ createdAt: at(30) })],
    steps: [{ ...step, firstAt: at(5), lastAt: at(6) }],
    events: [],
  }).filter(({ kind }) => kind === "limited.mailbox");

  expect(limited).toMatchObject({ count: 2, firstAt: at(5), at: at(6), until: at(13) });
});
