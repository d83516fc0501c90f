import { afterAll, expect, test } from "vitest";
import { aClient, refusalOf } from "../../../../tests/support/organization-client.ts";
import { anInvitation, anOrganization, newSlug } from "../../../../tests/support/organizations.ts";
import { newEmail } from "../../../../tests/support/people.ts";
import { RACE_ROUNDS } from "../../../../tests/support/thoroughness.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { INVITATION_LIMITS } from "../../../values/rate-limits.ts";

const gatehouse = await startGatehouse();
const { d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

async function count(sql: string, ...values: string[]): Promise<number | null> {
  return d1
    .prepare(`SELECT count(*) AS n FROM ${sql}`)
    .bind(...values)
    .first<number>("n");
}

test("20 requests for one slug at once make one organization", async () => {
  const clients = await Promise.all(Array.from({ length: 20 }, () => aClient(gatehouse)));
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const slug = newSlug("wanted");

    const answers = await Promise.all(
      clients.map(({ client }) => refusalOf(client.create({ name: "Acme", slug }))),
    );

    expect(answers.sort()).toEqual([...Array(19).fill("400 ORGANIZATION_ALREADY_EXISTS"), "ok"]);
    const ofSlug = "member JOIN organization ON organization.id = organization_id WHERE slug = ?";
    expect(await count(ofSlug, slug)).toBe(1);
  }
});

test("of the last two owners who leave at once one stays", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const [first, second] = [await aClient(gatehouse), await aClient(gatehouse)];
    const made = await anOrganization(gatehouse, {}, { owner: first.user, admins: [second.user] });
    const organizationId = made.organization.id;
    await d1
      .prepare("UPDATE member SET role = 'owner' WHERE user_id = ?")
      .bind(second.user.id)
      .run();

    const answers = await Promise.all(
      [first, second].map(({ client }) => refusalOf(client.leave({ organizationId }))),
    );

    expect(answers.sort()).toEqual([
      "400 YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER",
      "ok",
    ]);
    expect(await count("member WHERE organization_id = ? AND role = 'owner'", organizationId)).toBe(
      1,
    );
  }
});

test("one invitation that is accepted 20 times and cancelled at once has one outcome", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const owner = await aClient(gatehouse);
    const invited = await aClient(gatehouse);
    const { organization } = await anOrganization(gatehouse, {}, { owner: owner.user });
    const { id: invitationId } = await anInvitation(gatehouse, {
      organization_id: organization.id,
      inviter_id: owner.user.id,
      email: invited.user.email,
    });

    const [cancelled, ...accepted] = await Promise.all([
      refusalOf(owner.client.cancelInvitation({ invitationId })),
      ...Array.from({ length: 20 }, () =>
        refusalOf(invited.client.acceptInvitation({ invitationId })),
      ),
    ]);

    const done = [cancelled, ...accepted].filter((answer) => answer === "ok");
    expect(done).toHaveLength(1);
    expect([cancelled, ...accepted].filter((answer) => answer !== "ok")).toEqual(
      Array(20).fill("400 INVITATION_NOT_FOUND"),
    );
    const isMember = await count("member WHERE user_id = ?", invited.user.id);
    expect(isMember).toBe(cancelled === "ok" ? 0 : 1);
  }
});

test("all invitations of a day at once are sent, and one e-mail is invited once", async () => {
  const owner = await aClient(gatehouse, { created_at: 1 });
  const admin = await aClient(gatehouse, { created_at: 1 });
  const { organization } = await anOrganization(
    gatehouse,
    {},
    { owner: owner.user, admins: [admin.user] },
  );
  const organizationId = organization.id;
  const invite = ({ client }: typeof owner, email: string) =>
    refusalOf(client.inviteMember({ organizationId, email, role: "member" }));

  const { max } = INVITATION_LIMITS.byUser;
  const each = await Promise.all(
    Array.from({ length: max }, () => invite(owner, newEmail("invited"))),
  );
  expect(each).toEqual(Array(max).fill("ok"));
  const email = newEmail("invited");
  const same = await Promise.all(Array.from({ length: 20 }, () => invite(admin, email)));

  expect(same.filter((answer) => answer === "ok")).toHaveLength(1);
  expect(new Set(same)).toEqual(
    new Set(["ok", "400 USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION"]),
  );
  expect(await count("invitation WHERE organization_id = ?", organizationId)).toBe(max + 1);
  expect(await count("mail_outbox WHERE recipient = ?", email)).toBe(1);
});

test("the last place in an organization is given once", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { organization, ownerId } = await anOrganization(gatehouse);
    const own = { organization_id: organization.id, inviter_id: ownerId };
    const people = await Promise.all(Array.from({ length: 5 }, () => aClient(gatehouse)));
    const invitations = await Promise.all(
      people.map(({ user }) => anInvitation(gatehouse, { ...own, email: user.email })),
    );
    await d1
      .prepare("UPDATE organization SET member_count = 99 WHERE id = ?")
      .bind(organization.id)
      .run();

    const answers = await Promise.all(
      people.map(({ client }, index) =>
        refusalOf(client.acceptInvitation({ invitationId: invitations[index]?.id ?? "" })),
      ),
    );

    expect(answers.sort()).toEqual([
      ...Array(4).fill("403 ORGANIZATION_MEMBERSHIP_LIMIT_REACHED"),
      "ok",
    ]);
  }
});
