import type { Language } from "../../i18n/languages.ts";
import type { MailBrand } from "./mail-brand.ts";
import type { MailWriters } from "./mail-content.ts";
import type { CoreMessage, MailMessage, RenderedMail } from "./mail-message.ts";
import type { Occasion } from "./occasion.ts";
import { renderMail } from "./render.server.ts";

const BASE_URL = "https://gatehouse.example";
const RECIPIENT = "lina.haddad@example.com";

const REQUEST: Occasion = {
  device: { browser: "Chrome", system: "Linux" },
  place: "Nairobi, KE",
  at: "2026-11-21T23:17:00.000Z",
};
const LINK = `${BASE_URL}/app/account`;
const DUE_AT = "2026-11-28T23:17:00.000Z";

/** The mails of each kind, in every variant that has other texts. A missing kind fails the type check. */
const SAMPLES: { [M in CoreMessage as M["kind"]]: Omit<M, "kind">[] } = {
  "login-code": [
    {
      code: "482917",
      link: `${BASE_URL}/login/verify?email=lina.haddad%40example.com#code=482917`,
      validMinutes: 5,
      request: REQUEST,
    },
  ],
  "account-code": (["confirm", "email-current", "email-new", "delete"] as const).map((purpose) => ({
    code: "482917",
    purpose,
    validMinutes: 5,
    request: REQUEST,
  })),
  "email-taken": [{}],
  "email-changed": [{ newEmail: "lina@example.org" }],
  "email-replaced": [{}],
  "email-assigned": [{ link: `${BASE_URL}/login` }],
  "methods-removed": [{ link: `${BASE_URL}/login` }],
  "roles-changed": [
    { by: "Tarek Haddad", roles: ["support", "auditor"], link: `${BASE_URL}/login` },
    { roles: ["admin"], link: `${BASE_URL}/login` },
  ],
  "passkey-released": [{ link: `${BASE_URL}/login` }],
  "test-mail": [{ link: `${BASE_URL}/manager/settings/system` }],
  "user-added": [{ inviter: "Tarek Haddad", link: `${BASE_URL}/login` }],
  "organization-invitation": (["owner", "admin", "member"] as const).map((role) => ({
    inviter: "زهراء Zawadi",
    organization: "Nyumbani Cooperative",
    role,
    link: `${BASE_URL}/invitations/7fH2`,
    validHours: 168,
  })),
  "ownership-offered": [false, true].map((handsOver) => ({
    inviter: "زهراء Zawadi",
    organization: "Nyumbani Cooperative",
    handsOver,
    link: `${BASE_URL}/invitations/7fH2`,
  })),
  "organization-role-changed": (["owner", "admin", "member"] as const).map((role) => ({
    by: "زهراء Zawadi",
    organization: "Nyumbani Cooperative",
    role,
    link: `${BASE_URL}/app/organizations/nyumbani`,
  })),
  "new-device": [
    { ...REQUEST, link: LINK },
    { device: null, place: null, at: REQUEST.at, link: LINK },
  ],
  "sign-in-method-added": [
    { ...REQUEST, method: { type: "passkey", name: "YubiKey 5C" }, link: LINK },
    { ...REQUEST, method: { type: "account", name: "GitHub" }, link: LINK },
  ],
  "deletion-started": [{ dueAt: DUE_AT, link: `${BASE_URL}/login` }],
  "deletion-done": [{}],
  "organization-deletion-started": [
    {
      organization: "Nyumbani Cooperative",
      dueAt: DUE_AT,
      link: `${BASE_URL}/app/organizations/nyumbani/settings`,
    },
  ],
};

/** A mail of the gallery, drawn as in a mail client with each theme. */
type GalleryMail = Omit<RenderedMail, "html"> & {
  id: string;
  kind: MailMessage["kind"];
  html: { light: string; dark: string };
};

/** Returns every mail of the product in a language, with invented data. */
export function listGallery(
  language: Language,
  brand: MailBrand,
  writers: MailWriters,
): GalleryMail[] {
  const delivery = { recipient: RECIPIENT, language, baseUrl: BASE_URL, brand, writers };
  const ofFeatures = Object.entries(writers).map(([kind, { samples }]) => [kind, samples] as const);
  return [...Object.entries(SAMPLES), ...ofFeatures].flatMap(([kind, variants]) =>
    variants.map((variant, index) => {
      const message = { kind, ...variant } as MailMessage;
      const { html, ...mail } = renderMail(message, delivery);
      return { ...mail, id: `${kind}-${index}`, kind: message.kind, html: inEachTheme(html) };
    }),
  );
}

/** Settles the mail's media query, because a frame takes the theme of the system, and the page has its own. */
function inEachTheme(html: string) {
  const settle = (query: string) => html.replace("@media (prefers-color-scheme: dark)", query);
  return { light: settle("@media not all"), dark: settle("@media all") };
}
