import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { saveAccess } from "../support/access-settings.ts";
import { accessibleError, newBrowser } from "../support/client.ts";
import { anOrganization } from "../support/organizations.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, askForCode, newEmail } from "../support/people.ts";
import { aPicture, aPng, JPEGS, uploadPicture } from "../support/pictures.ts";
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

/** Uploads a logo for the light theme and returns the name of its file. */
async function uploadLogo(content: BlobPart): Promise<string> {
  const response = await uploadPicture(manager, `${SCREEN}/logo/light`, content);
  expect(response.status).toBe(302);
  const file = gatehouse.d1.prepare("SELECT logo_light FROM brand");
  return (await file.first<string>("logo_light")) ?? "";
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

  await manager.submit(`${SCREEN}/logo/light`, { intent: "remove" });
  const gone = await anonymous.get(`/brand/${file}`);
  expect(gone.status).toBe(404);
  expect(gone.headers.get("cross-origin-resource-policy")).toBe("same-origin");
});

test("an SVG is refused as one", async () => {
  const response = await uploadPicture(
    manager,
    `${SCREEN}/logo/light`,
    new TextEncoder().encode(SVG),
  );

  expect(response.status).toBe(400);
  expect(accessibleError(await response.text(), "picture")).toBe(
    "This is an SVG drawing. Choose a JPEG, PNG or WebP picture.",
  );
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
  await uploadPicture(admin, `${SCREEN}/logo/${theme}`, content);
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
  const screen = async () => (await manager.get(`${SCREEN}/logo/light`)).text();

  await uploadLogo(aPicture());
  expect(await screen()).toContain(note);
  await uploadLogo(aPng());
  expect(await screen()).not.toContain(note);
});

test("the hourly run keeps the brand's logo", async () => {
  await uploadPicture(manager, `${SCREEN}/logo/dark`);
  const file = await gatehouse.d1.prepare("SELECT logo_dark FROM brand").first<string>("logo_dark");

  await gatehouse.runHourly(new Date(Date.now() + 3 * 3_600_000));

  expect((await anonymous.get(`/brand/${file}`)).status).toBe(200);
});
