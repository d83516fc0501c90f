import { expect, test } from "vitest";
import type { AuditRow } from "../../feature.ts";
import { joined } from "../../features.ts";
import { AUDIT_ACTIONS } from "../audit/actions.ts";
import { actionsOf, bodyOf, EVENT_TYPES, eventTypesFor, typeOf, typesOf } from "./events.ts";
import { SAMPLE_TYPES, sampleOf } from "./samples.ts";

/** Actions that no webhook tells of. A new action is in this list or in the catalogue. */
const UNTOLD = [
  /^(account|passkey|api_key|mail|settings|waiting_list|webhook)\./,
  /^user\.(invited|terms_accepted|methods_\w+|passkey_released|mail_allowed|data_downloaded)$/,
  /^user\.(language|theme)_changed$/,
  /^session\.confirmed$/,
  /^note\.(added|removed)$/,
  /^app\.(created|updated|secret_rotated|disabled|enabled|deleted)$/,
  // Each user of an import is a `user.created`.
  /^users\./,
];

test.each(AUDIT_ACTIONS)("%s is in the catalogue once, or told to no one", (action) => {
  const known = actionsOf(EVENT_TYPES).filter((one) => one === action);

  expect(known).toHaveLength(UNTOLD.some((pattern) => pattern.test(action)) ? 0 : 1);
});

test("chosen types are found again in the actions that are stored", () => {
  for (const type of EVENT_TYPES) expect(typesOf(actionsOf([type]))).toEqual([type]);
});

/** What the features tell organizations too. */
const FOR_ALL = Object.values<AuditRow>(joined("audit")).flatMap(({ webhook }) =>
  webhook?.for === "all" ? [webhook.type] : [],
);

test("an organization is offered nothing about users, sessions, or what ends it", () => {
  const offered = eventTypesFor("organization");

  expect(offered.filter((type) => /^(user|session)/.test(type))).toEqual([]);
  expect(offered).toEqual(expect.arrayContaining(["member.added", ...FOR_ALL]));
  expect(offered).not.toContain("organization.deleted");
});

const WITHOUT = { withIpAddress: false };

const event = {
  id: "e1",
  action: "user.updated",
  actorId: "a",
  impersonatorId: null,
  targetType: "user",
  targetId: "u",
  ipAddress: "192.0.2.1",
  details: {
    before: { name: "Ada", role: "user", version: 1 },
    after: { name: "Ada", role: "support", version: 2 },
  },
  createdAt: new Date("2026-11-27T12:00:00Z"),
};

test("an update that changes the role is an event of its own, with only the changed fields", () => {
  expect(JSON.parse(bodyOf(event, WITHOUT))).toEqual({
    id: "e1",
    type: "user.role_changed",
    timestamp: "2026-11-27T12:00:00.000Z",
    data: {
      actor: { id: "a" },
      impersonator: null,
      target: { type: "user", id: "u" },
      ids: { user: "u" },
      changes: { role: { before: "user", after: "support" } },
    },
  });
  const { before } = event.details;
  expect(typeOf("user.updated", { before, after: { ...before, name: "Eve" } })).toBe(
    "user.updated",
  );
});

test("the IP address is told only to who has chosen it, and nothing of an erased account is", () => {
  expect(bodyOf(event, WITHOUT)).not.toContain("192.0.2.1");
  expect(JSON.parse(bodyOf(event, { withIpAddress: true })).data.ipAddress).toBe("192.0.2.1");
  const erased = { ...event, details: null, ipAddress: null };
  expect(JSON.parse(bodyOf(erased, { withIpAddress: true })).data).toMatchObject({
    changes: {},
    ipAddress: null,
  });
});

test("an event has the ids of all objects that it is about, and changes do not repeat them", () => {
  const told = JSON.parse(
    bodyOf(
      {
        ...event,
        action: "team.member_added",
        targetType: "organization",
        targetId: "o",
        details: { member: "u", team: "Sales", ids: { team: "t" } },
      },
      { withIpAddress: false, organizationId: "o" },
    ),
  );

  expect(told.data.ids).toEqual({ organization: "o", user: "u", team: "t" });
  expect(told.data.changes).toEqual({ member: { after: "u" }, team: { after: "Sales" } });
});

test("an event of a webhook of an organization names that organization, whatever its target", () => {
  const thing = { ...event, targetType: "invoice", targetId: "i", details: null };
  const reader = { withIpAddress: false, organizationId: "o" };

  expect(JSON.parse(bodyOf(thing, reader)).data.ids).toEqual({ organization: "o", invoice: "i" });
});

test.each(SAMPLE_TYPES)(
  "a sample of %s has the members of an event, and says that it is none",
  (type) => {
    const at = new Date("2026-11-27T12:00:00Z");
    const body = JSON.parse(sampleOf(type, { id: "s1", at }));

    expect(body).toMatchObject({ id: "s1", type, timestamp: at.toISOString(), sample: true });
    if (type === "webhook.test") return;
    expect(Object.keys(body.data)).toEqual(Object.keys(JSON.parse(bodyOf(event, WITHOUT)).data));
    expect(body.data.ids[body.data.target.type]).toBe(body.data.target.id);
  },
);
