import { expect, test } from "vitest";
import { SERVER_FEATURES } from "../../features.server.ts";
import { LANGUAGES, type Language } from "../../i18n/languages.ts";
import { listGallery } from "./mail-gallery.server.ts";
import type { MailMessage } from "./mail-message.ts";
import { renderMail } from "./render.server.ts";

const writers = SERVER_FEATURES.mails;

const delivery = {
  writers,
  recipient: "lina@example.com",
  language: "en",
  baseUrl: "http://app.example:8080",
  brand: {
    name: "Acme",
    accent: { solid: "#111111", ink: "#222222", inkOnDark: "#eeeeee" },
    logo: undefined,
    supportUrl: undefined,
    footer: undefined,
  },
} as const;

const loginCode = {
  kind: "login-code",
  code: "482917",
  link: "http://app.example:8080/login/verify?email=lina%40example.com#code=482917",
  validMinutes: 5,
} as const;

function textOf(message: MailMessage, language: (typeof LANGUAGES)[number] = "en"): string {
  return renderMail(message, { ...delivery, language }).text.replace(/[\u2066-\u2069]/g, "");
}

test.each([
  [
    { device: { browser: "Chrome", system: "Linux" }, place: "Nairobi, KE" },
    "Requested from Chrome on Linux, Nairobi, Kenya, 21 Nov 2026",
  ],
  [
    { device: { browser: "Chrome", system: "Linux" }, place: null },
    "Requested from Chrome on Linux, 21 Nov 2026",
  ],
  // Cloudflare's code for the Tor network is no country.
  [{ device: null, place: "T1" }, "Requested from T1, 21 Nov 2026"],
  [{ device: null, place: null }, "Requested on 21 Nov 2026"],
])("a code's mail names what is known of the request: %j", (known, line) => {
  const request = { ...known, at: "2026-11-21T23:17:00.000Z" };

  const text = textOf({ ...loginCode, request });

  expect(text).toContain(line);
  expect(text).toContain("23:17 UTC");
});

test("the request is described in the words of the recipient's language", () => {
  const request = {
    device: { browser: "Chrome", system: "Linux" },
    place: "Nairobi, KE",
    at: "2026-11-21T23:17:00.000Z",
  };

  expect(textOf({ ...loginCode, request }, "ar")).toContain("Nairobi، كينيا");
  // Each part has its own direction, so that the city stands first from the right.
  const { text } = renderMail({ ...loginCode, request }, { ...delivery, language: "ar" });
  expect(text).toContain("\u2068Nairobi\u2069، \u2068كينيا\u2069");
});

test("a code's mail that an older version queued is rendered without the request", () => {
  expect(textOf(loginCode)).not.toContain("Requested");
});

test("a mail says to which e-mail it was sent, why, and by which host", () => {
  expect(textOf(loginCode)).toContain(
    "Sent to lina@example.com because someone entered this address at app.example:8080.",
  );
  expect(textOf({ kind: "methods-removed", link: "x" })).toContain(
    "Sent to lina@example.com, the address of your account at app.example:8080.",
  );
  expect(textOf({ kind: "email-replaced" })).toContain(
    "Sent to lina@example.com because it was the address of your account at app.example:8080.",
  );
});

test("the link of a button is also readable as text, for clients that draw no button", () => {
  const { html } = renderMail(loginCode, delivery);

  expect(html.split(`>${loginCode.link}<`)).toHaveLength(2);
});

test.each(LANGUAGES)("no mail in %s has an image, a script, or an external style", (language) => {
  for (const { html } of listGallery(language, delivery.brand, writers)) {
    expect(html.light).not.toMatch(/<(img|svg|script|link)\b|url\(/);
    expect(html.light).toContain(`<html lang="${language}"`);
  }
});

test("the gallery shows the same mails in every language, each in both themes", () => {
  const kinds = LANGUAGES.map((language) =>
    listGallery(language, delivery.brand, writers).map(({ id }) => id),
  );

  for (const shown of kinds) expect(shown).toEqual(kinds[0]);
  for (const { html } of listGallery("en", delivery.brand, writers)) {
    expect(html.dark).not.toBe(html.light);
    expect(html.dark).toContain("@media all {");
  }
});

test.each(LANGUAGES)("no mail in %s names another product than the brand", (language) => {
  for (const mail of listGallery(language, delivery.brand, writers)) {
    expect(JSON.stringify(mail)).not.toContain("Gatehouse");
  }
  expect(JSON.stringify(listGallery(language, delivery.brand, writers))).toContain("Acme");
});

test("a mail has the brand's logo, colours and last line", () => {
  const logo = { src: "https://app.example.com/brand/one", width: 64, height: 128 };
  const brand = {
    ...delivery.brand,
    logo: { light: logo, dark: logo },
    footer: "Acme Ltd & Co, 1 Road",
  };

  const { html, text } = renderMail(loginCode, { ...delivery, brand });

  expect(html.match(/<img/g)).toHaveLength(1);
  expect(html).toContain(
    '<img src="https://app.example.com/brand/one" alt="" width="16" height="32"',
  );
  expect(html).toContain("background:#111111");
  expect(html).toContain("Acme Ltd &amp; Co, 1 Road");
  expect(text).toMatch(/Acme Ltd & Co, 1 Road$/);
});

test("a word mark keeps its shape in a mail, and a dark mail has the logo of the dark theme", () => {
  const light = { src: "https://app.example.com/brand/light", width: 512, height: 64 };
  const dark = { ...light, src: "https://app.example.com/brand/dark" };

  const { html } = renderMail(loginCode, {
    ...delivery,
    brand: { ...delivery.brand, logo: { light, dark } },
  });

  expect(html).toMatch(
    /brand\/light" alt="Acme" width="160" height="20" class="name light" style="display:block/,
  );
  expect(html).toMatch(
    /brand\/dark" alt="Acme" width="160" height="20" class="name dark" style="display:none/,
  );
});

test("a mail says the name once: as the text of a word mark, or beside another logo", () => {
  const logoOf = (width: number) => {
    const logo = { src: "https://app.example.com/brand/logo", width, height: 64 };
    const brand = { ...delivery.brand, logo: { light: logo, dark: logo } };
    const { html } = renderMail(loginCode, { ...delivery, brand });
    return [html.includes('alt="Acme"'), html.includes(">Acme</td>")];
  };

  expect(logoOf(256)).toEqual([true, false]);
  expect(logoOf(64)).toEqual([false, true]);
});

test("a mail of a brand whose logo no mail client draws has the name, and neither logo nor gate", () => {
  const logo = { light: undefined, dark: undefined };

  const { html } = renderMail(loginCode, { ...delivery, brand: { ...delivery.brand, logo } });

  expect(html).not.toContain("<img");
  expect(html).not.toContain("border-radius:16px 16px 2px 2px");
  expect(html).toContain(">Acme<");
});

test("an email of the support is a link that shows the address", () => {
  const supportUrl = "mailto:help@acme.example";
  const led = listGallery("en", { ...delivery.brand, supportUrl }, writers).filter(({ html }) =>
    html.light.includes(`href="${supportUrl}"`),
  );

  expect(led.length).toBeGreaterThan(0);
  for (const { html, text } of led) {
    expect(html.light).toMatch(/Contact support \(.?help@acme\.example.?\)<\/a>/);
    expect(text).toContain("Contact support\nhelp@acme.example");
  }
});

/** Returns of each mail in a language whether it says to contact support. */
function sayingContact(language: Language): boolean[] {
  const mails = listGallery(language, delivery.brand, writers);
  return mails.map(({ text }) => /contact support|contactez|تواصل|wasilian/i.test(text));
}

test.each(["en", "fr", "ar", "sw"] as const)(
  "seven mails in %s say to contact support, the same in each language",
  (language) => {
    expect(sayingContact(language).filter(Boolean)).toHaveLength(7);
    expect(sayingContact(language)).toEqual(sayingContact("en"));
  },
);

test.each(LANGUAGES)("each mail in %s that says to contact support leads there", (language) => {
  const supportUrl = "https://acme.example/support?a&b";
  const isLed = (mail: { text: string; html: { light: string } }) =>
    mail.text.includes(`\n${supportUrl}\n`) &&
    mail.html.light.includes('href="https://acme.example/support?a&amp;b"');

  const led = listGallery(language, { ...delivery.brand, supportUrl }, writers);

  expect(led.map(isLed)).toEqual(sayingContact("en"));
  // Without a page there is no link, and no empty line.
  for (const { text } of listGallery(language, delivery.brand, writers)) {
    expect(text).not.toMatch(/\n\n\n|undefined/);
  }
});
