import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { ACCENT_NAMES, accentOf } from "../../app/values/accents.ts";
import { contrast } from "../../app/values/contrast.ts";
import { saveAccess } from "../support/access-settings.ts";
import { accessibleError, newBrowser } from "../support/client.ts";
import { anOrganization } from "../support/organizations.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, askForCode, newEmail } from "../support/people.ts";
import { aPicture, aPng, JPEGS } from "../support/pictures.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const SCREEN = "/manager/settings/brand";
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

const gatehouse = await startGatehouse({
  vars: { PRODUCT_NAME: "Old Name", SECURITY_CONTACT: "security@acme.example" },
});
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user, browser: manager } = await anAdmin(gatehouse);
const anonymous = newBrowser(gatehouse);

async function save(values: Record<string, string>) {
  const version = await gatehouse.d1.prepare("SELECT version FROM brand").first<number>("version");
  return manager.submit(SCREEN, { ...values, version: String(version) });
}

function sizeOfPng(file: Buffer) {
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

async function titleIn(language: string): Promise<string | undefined> {
  anonymous.cookies.set("i18next", language);
  const page = await (await anonymous.get("/login")).text();
  return /<title>[^<]*· ([^<]*)<\/title>/.exec(page)?.[1];
}

test("the environment's name holds until a manager sets another", async () => {
  await save({});

  expect(await titleIn("en")).toBe("Old Name");
});

test("a saved brand is on the login page, in the manifest, the icon and the mails", async () => {
  const saved = await save({
    name: "Acme",
    nameAr: "أكمي",
    accent: "teal",
    senderName: "Acme, Inc.",
    mailFooter: "Acme Ltd",
    supportUrl: "https://acme.example/support",
  });
  const email = newEmail();
  await askForCode(anonymous, email);

  const mail = await gatehouse.mailbox.mailFor(email);
  const manifest = await (await anonymous.get("/manifest.webmanifest")).json();
  const icon = await (await anonymous.get("/icon.svg")).text();
  expect(saved.status).toBe(302);
  expect(await titleIn("en")).toBe("Acme");
  expect(await titleIn("ar")).toBe("أكمي");
  const login = await (await anonymous.get("/login")).text();
  expect(login).toContain("--color-accent:#008573");
  const description = translationsIn("ar")("common:description", { product: "أكمي" });
  expect(login).toContain(`<meta name="description" content="${description}"`);
  expect(manifest).toMatchObject({ name: "Acme", theme_color: "#008573" });
  expect(icon).toContain('fill="#008573"');
  expect(mail.from).toMatch(/^"Acme, Inc\." <.+@.+>$/);
  expect(mail.text).toContain("Acme Ltd");
  expect(mail.html).not.toContain("Gatehouse");
});

test("a page that says to contact support leads to the support page, when there is one", async () => {
  const { user: owner, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, { disabled_at: Date.now() }, { owner });
  const linksOn = async () => [
    await linkOn(anonymous, "/login/error?error=BANNED_USER"),
    await linkOn(anonymous, "/login/error?error=signup_disabled"),
    await linkOn(anonymous, "/login"),
    await linkOn(browser, "/manager"),
    await linkOn(browser, `/app/organizations/${organization.slug}`),
    await linkOn(anonymous, "/login/error?error=access_denied"),
  ];
  const linkOn = async (by: typeof browser, path: string) =>
    readPage(await (await by.get(path)).text()).linkTo("Contact support");
  anonymous.cookies.delete("i18next");
  await saveAccess(gatehouse, manager, { signUpMode: "closed" });
  const to = "https://acme.example/support";

  await save({ name: "Acme", supportUrl: to });
  expect(await linksOn()).toEqual([to, to, to, to, to, undefined]);
  await save({ name: "Acme" });
  expect(await linksOn()).toEqual(Array(6).fill(undefined));
  await saveAccess(gatehouse, manager);
});

test("a support email is saved as a link that shows the address", async () => {
  await save({ name: "Acme", supportUrl: "help@acme.example" });

  const page = readPage(await (await anonymous.get("/login/error?error=BANNED_USER")).text());
  expect(page.linkTo("Contact support (help@acme.example)")).toBe("mailto:help@acme.example");
});

test("without a logo the manifest has the gate as icons of each size, which are there", async () => {
  await save({ name: "Acme" });
  const manifest = await (await anonymous.get("/manifest.webmanifest")).json();
  const { icons } = manifest as { icons: { src: string; sizes: string; purpose?: string }[] };

  expect(icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ["any", undefined],
    ["192x192", undefined],
    ["512x512", undefined],
    ["512x512", "maskable"],
  ]);
  for (const { src, sizes } of icons.slice(1)) {
    const [width, height] = sizes.split("x").map(Number);
    expect(sizeOfPng(readFileSync(`public${src}`))).toEqual({ width, height });
  }
});

test("a saved name is in the prompt for a passkey, in the reader's language, and in security.txt", async () => {
  await save({ name: "Acme", nameAr: "أكمي" });
  const reader = (await anAdmin(gatehouse)).browser;
  const promptIn = async (language: string) => {
    reader.cookies.set("i18next", language);
    const options = await reader.get("/api/auth/passkey/generate-register-options");
    const { rp } = (await options.json()) as { rp: object };
    return rp;
  };

  expect(await promptIn("en")).toEqual({ name: "Acme", id: "localhost" });
  expect(await promptIn("ar")).toEqual({ name: "أكمي", id: "localhost" });
  const text = await (await anonymous.get("/.well-known/security.txt")).text();
  expect(text).toMatch(/^# Acme\nContact: mailto:security@acme.example\n/);
  expect(text).not.toContain("Gatehouse");
});

test("settings and brand cost one query together, and the next request none", async () => {
  await save({ name: "Acme" });
  const queries = async () =>
    (await anonymous.get("/manifest.webmanifest")).headers.get("x-d1-calls");

  expect([await queries(), await queries()]).toEqual(["1", "0"]);
});

test("a change is recorded with what was before", async () => {
  await save({ name: "Acme", accent: "teal" });
  await save({ name: "Bolt", accent: "teal" });

  const row = await gatehouse.d1
    .prepare("SELECT actor_id, details FROM audit_event ORDER BY created_at DESC LIMIT 1")
    .first<{ actor_id: string; details: string }>();
  expect(row?.actor_id).toBe(user.id);
  expect(JSON.parse(row?.details ?? "")).toEqual({
    before: { name: "Acme" },
    after: { name: "Bolt" },
  });
});

test("a name in another language is recorded by its field, and named in the reader's language", async () => {
  await save({ name: "Acme", nameAr: "أكمي" });
  await save({ name: "Acme", nameFr: "Le Acme" });

  const row = await gatehouse.d1
    .prepare("SELECT details FROM audit_event ORDER BY created_at DESC LIMIT 1")
    .first<{ details: string }>();
  expect(JSON.parse(row?.details ?? "")).toEqual({
    before: { nameFr: null, nameAr: "أكمي" },
    after: { nameFr: "Le Acme", nameAr: null },
  });
  const reader = (await anAdmin(gatehouse, { language: "fr" })).browser;
  const page = readPage(await (await reader.get("/manager/audit")).text());
  expect(page.text()).toContain("Nom en arabe");
  const form = readPage(await (await reader.get(SCREEN)).text());
  expect(form.text()).toContain("Nom en français");
});

test.each([
  ["helpUrl", "javascript:alert(1).x"],
  ["supportUrl", "http://acme.example"],
  ["accent", "beige"],
  ["name", "x".repeat(41)],
  ["nameFr", "A\u202eB"],
])("a wrong %s is refused beside the field, and keeps what was typed", async (field, value) => {
  const response = await save({ name: "Kept", [field]: value });
  const page = await response.text();

  expect(response.status).toBe(400);
  if (field !== "accent") expect(accessibleError(page, field)).toMatch(/\S/);
  if (field !== "name") expect(page).toContain('value="Kept"');
});

test("a save that has not seen another's change gets 409 with both", async () => {
  await save({ name: "Theirs" });

  const response = await manager.submit(SCREEN, { name: "Mine", version: "1" });
  const page = await response.text();

  expect(response.status).toBe(409);
  expect(page).toContain("Theirs");
  expect(page).toContain('value="Mine"');
});

type Files = { [field: string]: BlobPart };

/** Saves the form with files and returns the answer. */
async function post(
  values: Record<string, string>,
  files: Files,
  { site = gatehouse, by = manager } = {},
): Promise<Response> {
  const body = new FormData();
  const version = await site.d1.prepare("SELECT version FROM brand").first<number>("version");
  for (const [name, value] of Object.entries({ version: String(version), ...values })) {
    body.set(name, value);
  }
  for (const [name, content] of Object.entries(files)) {
    body.set(name, new File([content], "picture.png", { type: "image/png" }));
  }
  return by.request(SCREEN, { method: "POST", body });
}

/** Uploads a picture, by default as logo for the light theme, and returns the name of its file. */
async function uploadLogo(content: BlobPart, field = "logoLight"): Promise<string> {
  expect((await post({}, { [field]: content })).status).toBe(302);
  const column = field.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);
  const file = gatehouse.d1.prepare(`SELECT ${column} FROM brand`);
  return (await file.first<string>(column)) ?? "";
}

const ICONS = {
  icon192: aPng({ width: 192, height: 192 }),
  icon512: aPng({ width: 512, height: 512 }),
  maskable512: aPng({ width: 512, height: 512 }),
  touch180: aPng({ width: 180, height: 180 }),
};

async function iconsOfManifest() {
  const manifest = await (await anonymous.get("/manifest.webmanifest")).json();
  const { icons } = manifest as { icons: { src: string; sizes: string; purpose?: string }[] };
  return icons;
}

async function storedFiles(): Promise<string[]> {
  const { objects } = await (await gatehouse.getBucket("AVATARS")).list();
  return objects.map(({ key }) => key).filter((key) => key.startsWith("brand/"));
}

test("a logo is served to everybody and to mails on other sites, until it is removed", async () => {
  const file = await uploadLogo(aPicture());
  const picture = await anonymous.get(`/brand/${file}`);

  expect(Object.fromEntries(picture.headers)).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-type": "image/webp",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  });
  expect(new Uint8Array(await picture.arrayBuffer())).toEqual(aPicture());
  expect(await (await anonymous.get("/login")).text()).toContain(`/brand/${file}`);

  await save({ logoLightRemoved: "yes" });
  const gone = await anonymous.get(`/brand/${file}`);
  expect(gone.status).toBe(404);
  expect(gone.headers.get("cross-origin-resource-policy")).toBe("same-origin");
});

test.each([
  ["an SVG", SVG, "SVG drawing, which is not taken. Export it as PNG"],
  ["a GIF", "GIF89a\xff\xff\xff\xff", "not a complete JPEG, PNG or WebP"],
  [
    "a page behind a picture's first bytes",
    "\x89PNG\r\n<script>alert(1)</script>",
    "not a complete",
  ],
  ["a picture of too many pixels", aPng({ width: 1025, height: 1 }), "at most 1,024 × 1,024"],
  ["a file of too many bytes", new Uint8Array(300_001), "too large"],
])("%s is refused beside its field, and nothing is saved or lost", async (_name, content, text) => {
  await save({ name: "Before" });
  const before = await storedFiles();

  const response = await post(
    { name: "Typed", mailFooter: "Kept" },
    { logoLight: content, ...ICONS },
  );
  const page = await response.text();

  expect(response.status).toBe(400);
  expect(accessibleError(page, "logoLight")).toContain(text);
  expect(page).toContain('value="Typed"');
  expect(page).toContain('value="Kept"');
  expect(await titleIn("en")).toBe("Before");
  expect(await storedFiles()).toEqual(before);
});

test("a wrong field refuses the pictures with it, and a form of many megabytes says what is too large", async () => {
  const before = await storedFiles();
  const wrong = await post({ helpUrl: "x" }, { logoLight: aPng() });
  expect(wrong.status).toBe(400);

  const huge = await post({}, { loginPicture: new Uint8Array(8_100_000) });
  const page = await huge.text();
  expect(huge.status).toBe(413);
  expect(accessibleError(page, "loginPicture")).toContain("too large");
  expect(await storedFiles()).toEqual(before);
});

test("a picture of the sign-in pages takes the place of the gate, and a logo does too", async () => {
  const side = async () => {
    const page = await (await anonymous.get("/login")).text();
    return [page.includes("gate-sun"), page.includes('class="gate-picture"')];
  };
  await save({ logoLightRemoved: "yes", logoDarkRemoved: "yes" });
  expect(await side()).toEqual([true, false]);

  await uploadLogo(aPng());
  expect(await side()).toEqual([false, false]);
  const file = await uploadLogo(aPng({ width: 1_200, height: 1_600 }), "loginPicture");
  expect(await side()).toEqual([false, true]);
  expect((await anonymous.get(`/brand/${file}`)).headers.get("content-type")).toBe("image/png");

  await save({ loginPictureRemoved: "yes", logoLightRemoved: "yes" });
  expect(await side()).toEqual([true, false]);
  expect((await anonymous.get(`/brand/${file}`)).status).toBe(404);
});

test("icons that the browser made are in the manifest and the page until the logo is another", async () => {
  await post({ name: "Acme" }, { logoLight: aPng({ width: 400, height: 100 }), ...ICONS });
  const icons = await iconsOfManifest();
  const page = await (await anonymous.get("/login")).text();

  expect(icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ["192x192", undefined],
    ["512x512", undefined],
    ["512x512", "maskable"],
  ]);
  for (const { src } of icons) expect((await anonymous.get(src)).status).toBe(200);
  const touch = /<link rel="apple-touch-icon" href="([^"]*)"/.exec(page)?.[1] ?? "";
  const { width } = sizeOfPng(Buffer.from(await (await anonymous.get(touch)).arrayBuffer()));
  expect(width).toBe(180);
  expect(page).toContain(`<link rel="icon" href="${icons[0]?.src}" type="image/png"/>`);

  // Without JavaScript another logo comes without icons.
  await uploadLogo(aPng({ width: 300, height: 100 }));
  expect((await iconsOfManifest()).map(({ sizes }) => sizes)).toEqual(["300x100"]);
  expect((await anonymous.get(icons[0]?.src ?? "")).status).toBe(404);
});

test("icons of the gate in an accent hold for that accent", async () => {
  await save({ logoLightRemoved: "yes" });
  await post({ accent: "teal" }, ICONS);
  expect((await iconsOfManifest()).map(({ src }) => src.split("/")[1])).toEqual([
    "icon.svg",
    "brand",
    "brand",
    "brand",
  ]);
  await save({ accent: "red" });
  expect((await iconsOfManifest())[1]?.src).toBe("/icon-192.png");
});

test.each([
  ["of another size", { ...ICONS, icon192: aPng({ width: 191, height: 192 }) }],
  ["of another type", { ...ICONS, icon192: aPicture() }],
  ["that are not all there", { icon192: ICONS.icon192 }],
])("icons %s are left out", async (_name, icons) => {
  await post({}, { logoLight: aPng({ width: 120, height: 100 }), ...icons });

  expect((await iconsOfManifest()).map(({ sizes }) => sizes)).toEqual(["120x100"]);
});

test("a save that came too late stores none of its pictures", async () => {
  const before = await storedFiles();
  const late = await post({ version: "1" }, { logoLight: aPng(), ...ICONS });

  expect(late.status).toBe(409);
  await expect.poll(storedFiles).toEqual(before);
});

test("a manager without the permission changes no picture", async () => {
  const { browser } = await anAdmin(gatehouse, { role: "auditor" });
  const before = await storedFiles();

  const response = await post({ name: "Mine" }, { logoLight: aPng() }, { by: browser });

  expect(response.status).toBe(403);
  expect(await storedFiles()).toEqual(before);
});

test("each accent tells how well its text can be read, from its own colours", async () => {
  await save({ accent: "teal" });
  const page = await (await manager.get(SCREEN)).text();

  const ratio = Math.floor(contrast("#ffffff", accentOf("teal").solid) * 10) / 10;
  expect(readPage(page).text()).toContain(`White text on it ${ratio}:1, AA`);
  expect(page.match(/name="accent"/g)).toHaveLength(ACCENT_NAMES.length + 1);
});

test("without JavaScript the previews show what is saved", async () => {
  await save({ name: "Shown", senderName: "Shown, Inc.", mailFooter: "Shown Road 1" });
  const page = readPage(await (await manager.get(SCREEN)).text());

  for (const text of ["Shown, Inc.", "Shown Road 1"]) expect(page.text()).toContain(text);
});

test("no screen without anything to show, and no error page, has bars", async () => {
  const pages = await Promise.all(
    ["/nowhere", "/login", "/login/error?error=BANNED_USER"].map(async (path) =>
      (await anonymous.get(path)).text(),
    ),
  );

  for (const page of pages) expect(page).not.toMatch(/gate-bar|M9 29V15|M22 90V38/);
});

test.each([
  ["image/png", "512x114", aPng({ width: 512, height: 114 })],
  ["image/jpeg", "48x16", JPEGS.baseline],
  ["image/webp", "256x256", aPicture()],
])("a logo of the type %s is an icon of its true type and size", async (type, sizes, content) => {
  const src = `/brand/${await uploadLogo(content)}`;
  const manifest = await (await anonymous.get("/manifest.webmanifest")).json();
  const page = await (await anonymous.get("/login")).text();
  const [width, height] = sizes.split("x");

  expect(manifest).toMatchObject({ icons: [{ src, sizes, type }] });
  expect(page).toContain(`<link rel="icon" href="${src}" type="${type}"/>`);
  expect(page).toContain(`src="${src}" width="${width}" height="${height}"`);
});

test.each([
  ["the light logo, in its shape", "light", aPng({ width: 512, height: 128 }), [["128", "32"]]],
  ["the only logo", "dark", JPEGS.baseline, [["96", "32"]]],
  ["no WebP, but the name", "light", aPicture(), []],
] as const)("a mail shows %s", async (_name, theme, content, sizes) => {
  // The sender keeps a brand for half a minute, so each mail has a sender of its own.
  await using site = await startGatehouse();
  const { browser: admin } = await anAdmin(site);
  const field = theme === "light" ? "logoLight" : "logoDark";
  await post({}, { [field]: content }, { site, by: admin });
  const file = await site.d1.prepare(`SELECT logo_${theme} FROM brand`).first(`logo_${theme}`);
  const email = newEmail();
  await askForCode(newBrowser(site), email);

  const { html } = await site.mailbox.mailFor(email);
  const url = `${site.origin}/brand/${file}`;
  const images = html.matchAll(
    /<img src="([^"]*)" alt="(?:Gatehouse)?" width="(\d+)" height="(\d+)"/g,
  );
  expect(Array.from(images, ([, ...found]) => found)).toEqual(sizes.map((size) => [url, ...size]));
  expect(html).toMatch(/>Gatehouse<|alt="Gatehouse"/);
});

test("the screen of a WebP logo says that mails leave it out", async () => {
  const note = "many mail programs cannot show WebP";
  const screen = async () => (await manager.get(SCREEN)).text();

  await uploadLogo(aPicture());
  expect(await screen()).toContain(note);
  await uploadLogo(aPng());
  expect(await screen()).not.toContain(note);
});

test("the hourly run keeps the brand's pictures", async () => {
  await post({}, { logoLight: aPng(), logoDark: aPicture(), loginPicture: aPng(), ...ICONS });
  const files = await storedFiles();
  expect(files).toHaveLength(7);

  await gatehouse.runHourly(new Date(Date.now() + 3 * 3_600_000));

  expect(await storedFiles()).toEqual(files);
});
