import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import {
  accessibleError,
  alertsOf,
  locationOf,
  newBrowser,
  toastOf,
  typedIn,
  versionOn,
} from "../support/client.ts";
import { openList } from "../support/lists.ts";
import { readPage, textOf } from "../support/page.ts";
import { anAdmin, aUser, newEmail, signIn } from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { changesOf, findPerson, userPath } from "../support/users.ts";
import { startGatehouse } from "../support/worker.ts";

const LIST = "/manager/users";
const NEW = "/manager/users/new";
const AT_ONCE = 50;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { browser: otherManager } = await anAdmin(gatehouse);

test("a created user is told by the heading alone, can sign in, and is recorded once", async () => {
  const email = newEmail("Fatima");

  const response = await manager.submit(NEW, {
    name: " Fatima  K ",
    email: ` ${email} `,
    role: "user",
  });

  const id = locationOf(response)?.split("/").at(-1) ?? "";
  const page = readPage(await (await manager.follow(response)).text());
  expect(textOf(page.find("heading"))).toBe("Fatima K");
  expect(textOf(page.noscript())).toBe("");
  expect(await findPerson(gatehouse, id)).toMatchObject({
    name: "Fatima K",
    email: email.toLowerCase(),
    email_verified: 1,
    role: "user",
    onboarded_at: null,
    version: 1,
  });
  expect(await auditOf(gatehouse, id)).toMatchObject([
    { action: "user.created", actorId: admin.id },
  ]);
  expect((await openList(manager, `${LIST}?searchTerm=fatima+k`)).ids).toEqual([id]);
  const browser = newBrowser(gatehouse);
  await signIn(gatehouse, browser, email.toLowerCase());
  expect(locationOf(await browser.get("/app"))).toBe("/onboarding?redirect=%2Fapp");
});

test("a taken e-mail is refused in any spelling", async () => {
  const taken = await aUser(gatehouse);
  const before = await aUser(gatehouse);

  for (const email of [taken.email, ` ${taken.email.toUpperCase()} `]) {
    for (const response of [
      await manager.submit(NEW, { name: "Other", email, role: "user" }),
      await manager.submit(userPath(before.id, "/update"), {
        name: "Other",
        email,
        role: "user",
        version: "1",
      }),
    ]) {
      expect(response.status).toBe(400);
      const page = await response.text();
      expect(accessibleError(page, "email")).toBe("Email already used");
      expect(typedIn(page, "name")).toBe("Other");
    }
  }
  expect(await findPerson(gatehouse, before.id)).toEqual(before);
  expect(await changesOf(gatehouse, before.id)).toEqual([]);
});

test("a change is saved, verifies the new e-mail, and is recorded once with before and after", async () => {
  const before = await aUser(gatehouse, { email_verified: 0, created_at: 1, updated_at: 1 });
  const { id, name, email } = before;
  const after = { name: "New Name", email: newEmail("new"), role: "admin" };
  const update = userPath(id, "/update");

  const response = await manager.submit(update, {
    ...after,
    version: await versionOn(await manager.get(update)),
  });

  expect(locationOf(response)).toBe(userPath(id));
  expect(await toastOf(manager, response)).toBe("User saved. Undo");
  expect(await findPerson(gatehouse, id)).toMatchObject({
    ...after,
    email_verified: 1,
    version: 2,
    created_at: 1,
  });
  expect(await changesOf(gatehouse, id)).toMatchObject([
    {
      action: "user.updated",
      actorId: admin.id,
      details: { before: { name, email, role: "user" }, after },
    },
  ]);
  expect((await openList(manager, `${LIST}?searchTerm=${email}`)).ids).toEqual([]);
  expect((await openList(manager, `${LIST}?searchTerm=${after.email}`)).ids).toEqual([id]);
});

test("a change that keeps the e-mail does not verify it, and takes all checked roles", async () => {
  const { id, email } = await aUser(gatehouse, { email_verified: 0, role: "user,support" });
  const body = new URLSearchParams({ name: "Renamed", email, version: "1" });
  for (const role of ["user", "auditor", "support"]) body.append("role", role);

  const saved = await manager.request(userPath(id, "/update"), { method: "POST", body });
  expect(locationOf(saved)).toBe(userPath(id));

  expect(await findPerson(gatehouse, id)).toMatchObject({
    name: "Renamed",
    email_verified: 0,
    role: "support,auditor,user",
  });
});

test("a conflicting change answers 409 with both versions, and the next try succeeds", async () => {
  const { id } = await aUser(gatehouse);
  const update = userPath(id, "/update");
  const version = await versionOn(await manager.get(update));
  const theirs = { name: "Their Name", email: newEmail("theirs"), role: "admin" };
  const mine = { name: "My Name", email: newEmail("mine"), role: "user" };
  await otherManager.submit(update, { ...theirs, version });

  const refused = await manager.submit(update, { ...mine, version });
  const page = await refused.text();

  expect(refused.status).toBe(409);
  const [notice = ""] = alertsOf(page);
  expect(notice).toContain("Changed by someone else");
  expect(notice).toContain(`Name Their Name Email ${theirs.email} Role Admin`);
  expect([typedIn(page, "name"), typedIn(page, "email")]).toEqual([mine.name, mine.email]);
  expect(typedIn(page, "role")).toBe("user");
  expect(await findPerson(gatehouse, id)).toMatchObject({ ...theirs, version: 2 });

  const saved = await manager.submit(update, { ...mine, version: typedIn(page, "version") ?? "" });
  expect(locationOf(saved)).toBe(userPath(id));
  expect(await findPerson(gatehouse, id)).toMatchObject({ ...mine, version: 3 });
  expect(await changesOf(gatehouse, id)).toHaveLength(2);
});

test("another error in the form does not hide a conflict", async () => {
  const { id, email } = await aUser(gatehouse);
  const update = userPath(id, "/update");
  const version = await versionOn(await manager.get(update));
  await otherManager.submit(update, { name: "Theirs", email, role: "user", version });

  const refused = await manager.submit(update, { name: "", email, role: "user", version });
  const again = await versionOn(refused);
  const response = await manager.submit(update, {
    name: "Mine",
    email,
    role: "user",
    version: again,
  });

  expect([refused.status, response.status]).toEqual([400, 409]);
  expect((await findPerson(gatehouse, id))?.name).toBe("Theirs");
});

test("managers cannot change their own role, but their name", async () => {
  const { user: self, browser } = await anAdmin(gatehouse);
  const update = userPath(self.id, "/update");
  const { email } = self;

  const refused = await browser.submit(update, { name: "Me", email, role: "user", version: "1" });
  expect(refused.status).toBe(400);
  expect(alertsOf(await refused.text())).toContain("You can't change your own roles");
  expect((await findPerson(gatehouse, self.id))?.role).toBe("admin");

  const saved = await browser.submit(update, { name: "Me", email, role: "admin", version: "1" });
  expect(locationOf(saved)).toBe(userPath(self.id));
  expect(await findPerson(gatehouse, self.id)).toMatchObject({ name: "Me", role: "admin" });
});

test("50 creations with one e-mail at once make one user", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const email = newEmail("raced");

    const responses = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        (index % 2 ? manager : otherManager).submit(NEW, {
          name: "Raced",
          email: index % 3 ? email : email.toUpperCase(),
          role: "user",
        }),
      ),
    );

    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 302)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(AT_ONCE - 1);
    const { results } = await gatehouse.d1
      .prepare("SELECT id FROM user WHERE email = ?")
      .bind(email)
      .all<{ id: string }>();
    expect(results).toHaveLength(1);
    expect(await auditOf(gatehouse, results[0]?.id ?? "")).toHaveLength(1);
  }
});

test("of two managers who edit at once one succeeds and the other gets a conflict", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { id, email } = await aUser(gatehouse);

    const responses = await Promise.all(
      [manager, otherManager].map((browser, index) =>
        browser.submit(userPath(id, "/update"), {
          name: index ? "Other" : "One",
          email,
          role: "user",
          version: "1",
        }),
      ),
    );

    const statuses = responses.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([302, 409]);
    const name = statuses[0] === 302 ? "One" : "Other";
    expect(await findPerson(gatehouse, id)).toMatchObject({ name, version: 2 });
    expect(await changesOf(gatehouse, id)).toHaveLength(1);
  }
});
