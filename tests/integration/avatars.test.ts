import { afterAll, expect, test } from "vitest";
import { LANGUAGES } from "../../app/i18n/languages.ts";
import { auditOf } from "../support/audit.ts";
import { accessibleError, locationOf, newBrowser } from "../support/client.ts";
import { anAdmin, aSignedInUser } from "../support/people.ts";
import {
  aPicture,
  aPng,
  exif,
  fullHourAfter,
  IEND,
  idat,
  ihdr,
  JPEGS,
  pngOf,
  uploadPicture,
  vp8l,
  vp8x,
  webpOf,
  withSegments,
} from "../support/pictures.ts";
import { translationsIn } from "../support/translations.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const PICTURE = "/app/account/picture";
const HOUR_MS = 3_600_000;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const bucket = await gatehouse.getBucket("AVATARS");
const anonymous = newBrowser(gatehouse);
const { browser: reader } = await aSignedInUser(gatehouse);
const say = translationsIn("en");

async function avatarOf(userId: string, { d1 }: Pick<Gatehouse, "d1"> = gatehouse) {
  const row = d1.prepare("SELECT avatar FROM user WHERE id = ?").bind(userId);
  return row.first<string>("avatar");
}

/** Makes a user with a picture. */
async function aPerson() {
  const person = await aSignedInUser(gatehouse);
  await uploadPicture(person.browser, PICTURE, aPicture());
  const avatar = await avatarOf(person.user.id);
  if (!avatar) throw new Error("The picture was not taken");
  return { ...person, avatar };
}

async function changesOf(userId: string) {
  const events = await auditOf(gatehouse, userId);
  return events.map(({ action }) => action).filter((action) => action.includes("avatar"));
}

/** Waits until the bucket no longer holds a picture: it is deleted after the response. */
async function expectGone(name: string, of: Pick<Gatehouse, "getBucket"> = gatehouse) {
  await expect.poll(async () => (await of.getBucket("AVATARS")).head(name)).toBeNull();
}

test("an uploaded picture is shown wherever its user is", async () => {
  const { user, browser, avatar } = await aPerson();
  const { browser: manager } = await anAdmin(gatehouse);

  const url = `/avatars/${avatar}`;
  for (const path of ["/app", "/app/account", PICTURE]) {
    expect(await (await browser.get(path)).text()).toContain(`src="${url}"`);
  }
  for (const path of ["/manager/users", `/manager/users/${user.id}`]) {
    expect(await (await manager.get(path)).text()).toContain(`src="${url}"`);
  }
  expect(await changesOf(user.id)).toEqual(["user.avatar_changed"]);
});

test("a signed-in reader gets a picture with immutable caching and a closed content policy", async () => {
  const { avatar } = await aPerson();

  const response = await reader.get(`/avatars/${avatar}`);

  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "cache-control": "private, max-age=31536000, immutable",
    "content-type": "image/webp",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    etag: `"${avatar}"`,
  });
  expect(response.headers.get("set-cookie")).toBeNull();
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(aPicture());
});

test.each<[string, Uint8Array<ArrayBuffer>]>([
  ["image/png", aPng({ width: 512, height: 114 })],
  ["image/jpeg", JPEGS.baseline],
  ["image/jpeg", JPEGS.progressive],
  ["image/jpeg", JPEGS.cmyk],
  ["image/webp", webpOf(vp8l({ width: 1024, height: 8, hasAlpha: true }))],
])("a picture of the type %s in any shape is served with its own type", async (type, file) => {
  const { user, browser } = await aSignedInUser(gatehouse);

  // The form declares another type than the content's.
  const response = await uploadPicture(browser, PICTURE, file);
  const url = `/avatars/${await avatarOf(user.id)}`;
  const picture = await reader.get(url);

  expect(locationOf(response)).toBe("/app/account");
  expect(picture.headers.get("content-type")).toBe(type);
  expect(picture.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await (await browser.get(PICTURE)).text()).toContain(`src="${url}"`);
});

test("a picture of an earlier release is served as the WebP that it is", async () => {
  const name = crypto.randomUUID();
  await bucket.put(name, aPicture());

  const response = await reader.get(`/avatars/${name}`);

  expect(response.headers.get("content-type")).toBe("image/webp");
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(aPicture());
});

test("a HEAD request answers a picture's length without its data", async () => {
  const { avatar } = await aPerson();

  const response = await reader.request(`/avatars/${avatar}`, { method: "HEAD" });

  expect(response.status).toBe(200);
  expect(response.headers.get("content-length")).toBe(String(aPicture().length));
  expect((await response.arrayBuffer()).byteLength).toBe(0);
});

test.each([
  (name: string) => `"${name}"`,
  (name: string) => `W/"${name}"`,
  (name: string) => `"another", "${name}"`,
])("a conditional request for an unchanged picture is answered with 304 (%#)", async (tag) => {
  const { avatar } = await aPerson();

  const response = await reader.get(`/avatars/${avatar}`, {
    headers: { "if-none-match": tag(avatar) },
  });

  expect(response.status).toBe(304);
  expect((await response.arrayBuffer()).byteLength).toBe(0);
});

test.each([crypto.randomUUID(), "x", "..%2f..%2fapp", "%00", "A".repeat(2_000)])(
  "the name %.20s answers 404",
  async (name) => {
    const response = await reader.get(`/avatars/${name}`);

    expect(response.status).toBe(404);
    expect(response.headers.get("cache-control")).toBe("no-store");
  },
);

test("an object of the bucket whose name is no picture id is not served", async () => {
  await bucket.put("letter", "Dear Amina");

  expect((await reader.get("/avatars/letter")).status).toBe(404);
});

test("a photograph's location is removed from the file", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const location = new TextEncoder().encode("0.5143 S, 35.2698 E");

  await uploadPicture(browser, PICTURE, webpOf(vp8x(0x08), vp8l(), ["EXIF", location]));

  const object = await bucket.get((await avatarOf(user.id)) ?? "");
  expect(new Uint8Array((await object?.arrayBuffer()) ?? [])).toEqual(aPicture());
});

test("of a photograph's notes only its orientation is stored", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);

  await uploadPicture(browser, PICTURE, withSegments(JPEGS.baseline, exif(6)));

  const object = await bucket.get((await avatarOf(user.id)) ?? "");
  const stored = Buffer.from((await object?.arrayBuffer()) ?? []).toString("latin1");
  expect(object?.httpMetadata?.contentType).toBe("image/jpeg");
  expect(stored).toContain("Exif");
  expect(stored).not.toContain("35.2698");
});

test("a new picture gets a new name, and the old one is deleted", async () => {
  const { user, browser, avatar } = await aPerson();

  const response = await uploadPicture(browser, PICTURE, aPicture());

  expect(locationOf(response)).toBe("/app/account");
  expect(await avatarOf(user.id)).not.toBe(avatar);
  await expectGone(avatar);
  expect(await changesOf(user.id)).toEqual(["user.avatar_changed", "user.avatar_changed"]);
});

test("removing a picture deletes it, with one audit record", async () => {
  const { user, browser, avatar } = await aPerson();

  const response = await browser.submit(PICTURE, { intent: "remove" });
  await browser.submit(PICTURE, { intent: "remove" });

  expect(locationOf(response)).toBe("/app/account");
  expect(await avatarOf(user.id)).toBeNull();
  await expectGone(avatar);
  expect(await changesOf(user.id)).toEqual(["user.avatar_changed", "user.avatar_removed"]);
});

test("a deleted user's picture is deleted", async () => {
  const { user, avatar } = await aPerson();
  const { browser: manager } = await anAdmin(gatehouse);

  await manager.submit(`/manager/users/${user.id}`, { intent: "delete" });

  await expectGone(avatar);
});

test.each<[string, BlobPart, string, number]>([
  ["a picture tampered with", aPicture().with(20, 0), "notTaken", 400],
  ["half a picture", aPicture().slice(0, 20), "notTaken", 400],
  ["a JPEG cut short", JPEGS.baseline.slice(0, -2), "notTaken", 400],
  ["an SVG with a script", SVG, "svg", 400],
  ["a HEIC picture", "\0\0\0\x18ftypheic\0\0\0\0mif1heic", "heic", 400],
  ["a picture of too many pixels", webpOf(vp8l({ width: 1025, height: 1 })), "tooManyPixels", 400],
  [
    "a picture that says 4 billion pixels",
    pngOf(ihdr({ width: 65_536, height: 65_536 }), idat(), IEND),
    "tooManyPixels",
    400,
  ],
  ["an animated PNG", pngOf(ihdr(), ["acTL", new Uint8Array(8)], idat(), IEND), "animated", 400],
  [
    "an animated WebP",
    webpOf(vp8x(2), ["ANIM", new Uint8Array(6)], ["ANMF", new Uint8Array(16)]),
    "animated",
    400,
  ],
  ["nothing", "", "missing", 400],
  ["a file a little too large", new Uint8Array(300_001), "tooLarge", 413],
  ["a file much too large", new Uint8Array(1_000_000), "tooLarge", 413],
])(
  "%s is refused beside the field, in the reader's language",
  async (_name, content, reason, status) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    for (const language of LANGUAGES) {
      browser.cookies.set("i18next", language);

      const response = await uploadPicture(browser, PICTURE, content);

      expect(response.status).toBe(status);
      expect(accessibleError(await response.text(), "picture")).toBe(
        // An accessible name has no other spaces than the usual ones.
        translationsIn(language)(`pictures:${reason}`).replace(/\s/g, " "),
      );
    }
    expect(await avatarOf(user.id)).toBeNull();
  },
);

test("a file of 15 MB is refused beside the field, with and without a content length", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const megabyte = new Uint8Array(1_000_000);
  const boundary = "gatehouse";
  const parts = [
    `--${boundary}\r\nContent-Disposition: form-data; name="intent"\r\n\r\nsave\r\n`,
    `--${boundary}\r\nContent-Disposition: form-data; name="picture"; filename="p.webp"\r\n\r\n`,
    ...Array.from({ length: 15 }, () => megabyte),
    `\r\n--${boundary}--\r\n`,
  ].map((part) => (typeof part === "string" ? new TextEncoder().encode(part) : part));

  for (const body of [new Blob(parts), new Blob(parts).stream()]) {
    const response = await browser.request(PICTURE, {
      method: "POST",
      headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
      body,
      duplex: "half",
    } as RequestInit);

    expect(response.status).toBe(413);
    expect(accessibleError(await response.text(), "picture")).toBe(say("pictures:tooLarge"));
  }
  expect(await avatarOf(user.id)).toBeNull();
});

test.each([
  ["no multipart form at all", "picture=x", "application/x-www-form-urlencoded", 400],
  ["a broken form", "--x\r\nnothing", "multipart/form-data; boundary=x", 400],
  ["JSON", "{}", "application/json", 415],
])("%s is refused", async (_name, body, type, status) => {
  const { browser } = await aSignedInUser(gatehouse);

  const response = await browser.request(PICTURE, {
    method: "POST",
    body,
    headers: { "content-type": type },
  });

  expect(response.status).toBe(status);
});

test.each(["before", "after"])(
  "a database failure %s the change leaves no user with a missing picture",
  async (moment) => {
    await using faulty = await startGatehouse();
    faulty.expectErrors("database.unavailable");
    const { user, browser } = await aSignedInUser(faulty);
    await uploadPicture(browser, PICTURE, aPicture());
    const first = (await avatarOf(user.id, faulty)) ?? "";

    // The first call finds the session, the second one counts the change, and the third one changes the row.
    const response = await uploadPicture(browser, PICTURE, aPicture(), {
      headers: { "x-d1-fault": `3 ${moment}` },
    });

    expect(response.status).toBe(503);
    const avatar = (await avatarOf(user.id, faulty)) ?? "";
    expect(avatar === first).toBe(moment === "before");
    expect(await (await faulty.getBucket("AVATARS")).head(avatar)).not.toBeNull();

    expect((await uploadPicture(browser, PICTURE, aPicture())).status).toBe(302);
    await faulty.runHourly(fullHourAfter(2 * HOUR_MS));
    const { objects } = await (await faulty.getBucket("AVATARS")).list();
    expect(objects.map(({ key }) => key)).toEqual([await avatarOf(user.id, faulty)]);
  },
);

test("the hourly sweep deletes pictures that no row has named for an hour", async () => {
  const erased = await aPerson();
  const kept = await aPerson();
  await bucket.put("letter", "Dear Amina");
  await gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(erased.user.id).run();

  await gatehouse.runHourly(fullHourAfter(-HOUR_MS));
  expect(await bucket.head(erased.avatar)).not.toBeNull();
  await gatehouse.runHourly(fullHourAfter(2 * HOUR_MS));

  expect(await bucket.head(erased.avatar)).toBeNull();
  expect(await bucket.head(kept.avatar)).not.toBeNull();
  expect(await bucket.head("letter")).not.toBeNull();
});

test("the sweep reads more pictures than one page of the bucket", async () => {
  await using full = await startGatehouse();
  const { user, browser } = await aSignedInUser(full);
  await uploadPicture(browser, PICTURE, aPicture());
  const customMetadata = { user: "nobody" };
  const pictures = await full.getBucket("AVATARS");
  await Promise.all(
    Array.from({ length: 260 }, () => pictures.put(crypto.randomUUID(), "x", { customMetadata })),
  );

  await full.runHourly(fullHourAfter(2 * HOUR_MS));

  const { objects } = await pictures.list();
  expect(objects.map(({ key }) => key)).toEqual([await avatarOf(user.id, full)]);
});

test("pages load images from this origin only", async () => {
  const response = await anonymous.get("/login");

  expect(response.headers.get("content-security-policy")).toContain("img-src 'self';");
});
