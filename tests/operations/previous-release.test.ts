import { expect, test } from "vitest";
import { locationOf, newBrowser, readText } from "../support/client.ts";
import { newEmail, signIn } from "../support/people.ts";
import { buildPreviousRelease, findPreviousRelease } from "../support/previous-release.ts";
import { findPerson } from "../support/users.ts";
import { startGatehouse } from "../support/worker.ts";

const release = await findPreviousRelease();
if (!release) {
  console.warn(
    "This copy has no previous release: set previousRelease of package.json to the commit of your first release.",
  );
}

test.runIf(release)(
  "the previous release works on the newest database, as after a rollback",
  async () => {
    const admin = newEmail("admin");
    await using gatehouse = await startGatehouse({
      // The first time it is built, which takes minutes on a busy machine.
      build: await buildPreviousRelease(release ?? ""),
      vars: { ADMIN_EMAILS: admin },
    });
    const browser = newBrowser(gatehouse);

    await signIn(gatehouse, browser, admin);
    const named = await browser.submit("/onboarding", { name: "Amina Yusuf" });
    expect(named.status).toBe(302);

    expect((await browser.get("/app")).status).toBe(200);
    const created = await browser.submit("/manager/users/new", {
      name: "Fatima K",
      email: newEmail("fatima"),
      role: "user",
    });
    const user = locationOf(created) ?? "";
    expect(user).toMatch(/^\/manager\/users\/[\w-]+$/);
    const { email, version } = (await findPerson(gatehouse, user.split("/").at(-1) ?? "")) ?? {};
    const updated = await browser.submit(`${user}/update`, {
      name: "Fatima Kamau",
      email: String(email),
      role: "user",
      version: String(version),
    });
    expect(updated.status).toBe(302);
    const banned = await browser.submit(user, { intent: "ban", reason: "Spam", duration: "1" });
    expect(banned.status).toBe(302);
    const list = await browser.get("/manager/users");
    expect(readText(await list.text())).toContain("Fatima Kamau");
  },
);
