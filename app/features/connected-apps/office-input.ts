import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";
import type { MessageKey } from "../../i18n/message-key.ts";
import { OwnName } from "../../values/person-name.ts";
import { APP_NAME_MAX_LENGTH, APP_URL_MAX_LENGTH, MAX_SCOPES, URIS_MAX_LENGTH } from "./limits.ts";
import { APP_KINDS, readLogoutUri, readStartPage } from "./redirect-uris.ts";

const tooLong = (maximum: number) => ({ error: `validation:tooLong?maximum=${maximum}` });

const Checked = z
  .literal("yes")
  .optional()
  .transform((value) => value === "yes");

const optionalUrl = (read: (typed: string) => string | undefined, message: MessageKey) =>
  z
    .string()
    .trim()
    .max(APP_URL_MAX_LENGTH, { ...tooLong(APP_URL_MAX_LENGTH), abort: true })
    .transform((typed, context) => {
      const url = read(typed);
      if (url !== undefined) return url;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .optional()
    .transform((url) => url ?? null);

const Uris = z.string().max(URIS_MAX_LENGTH, tooLong(URIS_MAX_LENGTH)).default("");

/** Fields of an app. The rules of its URIs depend on its kind: `read-app.ts`. */
const VALUES = {
  name: OwnName.refine((name) => name.length <= APP_NAME_MAX_LENGTH, tooLong(APP_NAME_MAX_LENGTH)),
  uri: optionalUrl(readStartPage, "connected-apps:office.uriInvalid"),
  redirectUris: Uris,
  afterSignOut: Uris,
  logoutUri: optionalUrl(readLogoutUri, "connected-apps:office.logoutUriInvalid"),
  apis: Uris,
  scopes: z.array(z.string().max(100)).max(MAX_SCOPES),
  skipConsent: Checked,
};

const Typed = z.object(VALUES);

export const NewAppForm = z.object({
  ...VALUES,
  kind: z.enum(APP_KINDS, { error: "connected-apps:office.kindRequired" }),
});

/** Forms of the screen with one app. */
export const AppForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("update"),
    ...VALUES,
    version: hidden(z.coerce.number().int()),
  }),
  z.object({ intent: z.enum(["rotate", "disable", "enable", "delete"]) }),
]);

/** What managers allow others to do with apps. */
export const AppSettingsForm = z.object({
  intent: z.literal("settings"),
  organizationApps: Checked,
  version: hidden(z.coerce.number().int()),
});

/** How apps may register themselves. */
export const RegistrationForm = z.object({
  byCall: Checked,
  byDocument: Checked,
  scopes: VALUES.scopes,
  version: hidden(z.coerce.number().int()),
});

export const AppSearch = z.object({ state: z.enum(["", "edit"]).catch("") });

export type TypedApp = z.output<typeof Typed>;
