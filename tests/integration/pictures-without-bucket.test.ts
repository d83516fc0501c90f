import { expect, test } from "vitest";
import { newBrowser } from "../support/client.ts";
import { anOrganization } from "../support/organizations.ts";
import { aSignedInUser, aUser, openSession } from "../support/people.ts";
import { aPicture, fullHourAfter, uploadPicture } from "../support/pictures.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const PICTURE = "/app/account/picture";
const HOUR_MS = 3_600_000;
const say = translationsIn("en");

test("without a bucket the screen of the picture has no file field and uploads are refused with a message", async () => {
  await using bare = await startGatehouse({ without: ["AVATARS"] });
  const { user, browser } = await aSignedInUser(bare, { avatar: crypto.randomUUID() });

  const account = await (await browser.get("/app/account")).text();
  expect(account).not.toContain(PICTURE);
  const page = await (await browser.get(PICTURE)).text();
  expect(page).not.toContain('type="file"');
  expect(page).toContain(say("account:picture.unavailable"));
  const response = await uploadPicture(browser, PICTURE, aPicture());
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(say("account:picture.unavailable"));
  expect((await browser.get(`/avatars/${user.avatar}`)).status).toBe(404);
  await bare.runHourly(fullHourAfter(2 * HOUR_MS));
});

test("without a bucket the screen of the logo has no file field and uploads are refused with a message", async () => {
  await using bare = await startGatehouse({ without: ["AVATARS"] });
  const user = await aUser(bare);
  const browser = newBrowser(bare);
  await openSession(bare, browser, user.id);
  const logo = crypto.randomUUID();
  const { organization } = await anOrganization(bare, { logo }, { owner: user });

  const page = await (await browser.get(`/app/organizations/${organization.slug}/logo`)).text();
  expect(page).not.toContain('type="file"');
  expect(page).toContain(say("organizations:logo.unavailable"));
  const response = await uploadPicture(browser, `/app/organizations/${organization.slug}/logo`);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(say("organizations:logo.unavailable"));
  expect((await browser.get(`/logos/${logo}`)).status).toBe(404);
});
