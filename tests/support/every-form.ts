import type { z } from "zod";
import { AccountForm } from "../../app/features/account/input.ts";
import { ENDPOINTS } from "../../app/features/auth/gateway/endpoints.server.ts";
import {
  AnswerForm,
  InvitationsForm,
  JoinForm,
  MembersForm,
  NewOrganizationForm,
  SettingsForm,
} from "../../app/features/organizations/input.ts";
import { OrganizationForUser } from "../../app/features/organizations/office/input.ts";
import { organizationForms } from "../../app/features/organizations/office/organization-change.server.ts";
import { AccessUpdate } from "../../app/features/site-settings/input.ts";
import { SYSTEM_ACTS } from "../../app/features/system/acts.ts";
import {
  UserInput,
  UsersChange,
  UserUpdate,
  userChange,
} from "../../app/features/users/commands/input.ts";
import { SERVER_FEATURES } from "../../app/features.server.ts";
import { AGREED } from "./access-settings.ts";
import { clientEndpoints } from "./endpoints.ts";
import { FEATURE_TESTS, joinFeatures, withIds } from "./feature-tests.ts";
import { formsOf } from "./form-fields.ts";
import type { OrganizationRow } from "./organizations.ts";
import type { Person } from "./people.ts";

/** The rows that forms are about. */
export type World = {
  organization: Pick<OrganizationRow, "id" | "name" | "slug">;
  invitation: string;
  /** The ids of `featureUrls`. */
  ids: Record<string, string>;
};

/** The target of a step. */
export type Aim = { user: Pick<Person, "id">; email: string; role: string; member: string };

type Form = z.core.$ZodType | Record<string, string>[];
type Forms = Record<string, Form>;

const CORE: Forms = {
  "/app": [{ intent: "dismiss-setup" }],
  "/app/account": AccountForm,
  "/app/account/confirm": [],
  "/app/account/delete": [{ intent: "resend" }],
  "/app/account/picture": [],
  "/app/active-organization": [{ intent: "organization", organization: "" }],
  "/app/organizations/new": NewOrganizationForm,
  "/app/organizations/:slug/members": MembersForm,
  "/app/organizations/:slug/invitations": InvitationsForm,
  "/app/organizations/:slug/settings": SettingsForm,
  "/app/organizations/:slug/logo": [{}],
  "/invitations/:id": AnswerForm,
  "/invitations/links/:token": JoinForm,
  "/manager/account": AccountForm,
  "/manager/account/confirm": [],
  "/manager/account/delete": [{ intent: "resend" }],
  "/manager/account/picture": [],
  "/manager/mail": [{ mail: "" }],
  "/manager/organizations/new": OrganizationForUser,
  "/manager/organizations/:id": organizationForms(SERVER_FEATURES.officeForms),
  "/manager/settings/access": AccessUpdate,
  "/manager/settings/brand": [{ version: "1" }],
  "/manager/settings/security": [{ intent: "optional" }],
  "/manager/settings/system": Object.keys(SYSTEM_ACTS).map((intent) => ({ intent })),
  "/manager/users": UsersChange,
  "/manager/users/new": UserInput,
  "/manager/users/:id": userChange("2026-11-27"),
  "/manager/users/:id/update": UserUpdate,
  // Steps of their own below, or nothing that a session could do.
  ...Object.fromEntries(
    [
      ...["/login", "/login/verify", "/onboarding", "/terms", "/restore"],
      ...["/preferences", "/sign-out", "/stop-impersonating", "/*", "/app/*", "/manager/*"],
      ...["/api/webhooks/resend", "/api/auth/*", "/_server/:id"],
    ].map((pattern) => [pattern, []]),
  ),
};

/** The forms of the product, and those whose fields are not in a schema that tests can read. */
export const FORMS = joinFeatures(listed(CORE), ({ forms }) => listed(forms));

function listed(forms: Forms = {}): Record<string, Form[]> {
  return Object.fromEntries(Object.entries(forms).map(([pattern, form]) => [pattern, [form]]));
}

const organizationEndpoints = Object.fromEntries(
  Object.entries(clientEndpoints).filter(([path]) => path.startsWith("/organization/")),
);

/** The calls of clients that sign in or are about an organization, with their inputs. */
export const CALLS: Record<string, z.core.$ZodType> = Object.fromEntries(
  Object.entries({ ...ENDPOINTS, ...organizationEndpoints }).flatMap(([path, endpoint]) =>
    endpoint && "input" in endpoint && endpoint.method === "POST" ? [[path, endpoint.input]] : [],
  ),
);

/** Returns what is filled into each field. A field without a value fails the test: say what is written. */
export async function valuesFor(
  d1: D1Database,
  world: World,
  aim: Aim,
  pattern: string,
): Promise<Record<string, unknown>> {
  const { organization, ids } = world;
  const isAboutUsers = pattern.startsWith("/manager/users");
  const one = (sql: string, ...bound: string[]) =>
    d1
      .prepare(sql)
      .bind(...bound)
      .first<string>("value");
  const [table, subject] = isAboutUsers ? ["user", aim.user.id] : ["organization", organization.id];
  const version: number | string | null = pattern.includes("settings/")
    ? await one("SELECT version AS value FROM site_setting")
    : await one(`SELECT version AS value FROM ${table} WHERE id = ?`, subject);
  const orgRole = "owner";
  const ofFeatures = await Promise.all(
    FEATURE_TESTS.map(({ fields }) => fields?.(aim, { d1, pattern, ids })),
  );
  return {
    id: aim.user.id,
    version: String(version),
    name: "Any Name",
    email: aim.email,
    emails: aim.email,
    ownerEmail: aim.email,
    role: isAboutUsers ? aim.role : orgRole,
    newRole: orgRole,
    member: aim.member,
    memberId: aim.member,
    memberIdOrEmail: aim.member,
    userId: aim.user.id,
    user: aim.user.id,
    removed: aim.user.id,
    team: "",
    teamId: undefined,
    organization: organization.id,
    organizationId: organization.id,
    organizationSlug: organization.slug,
    slug: `taken-${crypto.randomUUID().slice(0, 8)}`,
    invitation: world.invitation,
    invitationId: world.invitation,
    back: "",
    uses: "5",
    days: "7",
    link: "any",
    typedName: organization.name,
    typedCount: "1",
    description: "",
    reason: "Because",
    impersonationReason: "Because",
    duration: "forever",
    until: "",
    code: "000000",
    otp: "000000",
    step: "",
    key: "",
    mailLink: "",
    question: "any",
    session: await one("SELECT id AS value FROM session WHERE user_id = ?", aim.user.id),
    passkey: await one("SELECT id AS value FROM passkey WHERE user_id = ?", aim.user.id),
    permissions: { user: ["ban"] },
    ...Object.assign({}, ...ofFeatures),
    passkeyName: "Any",
    account: "any",
    provider: "github",
    area: "app",
    signUpMode: "open",
    organizationsAdmit: "yes",
    agreed: AGREED,
    termsVersion: "",
    allowedDomains: "",
    blockedDomains: "",
    termsUrl: "",
    privacyUrl: "",
    data: { name: "Any", organizationId: organization.id },
    logo: "",
    metadata: "",
    keepCurrentActiveOrganization: false,
    resend: true,
    permission: undefined,
    redirect: "",
    callbackURL: "",
    type: "sign-in",
    response: {},
    newUserCallbackURL: "",
    errorCallbackURL: "",
    disableRedirect: true,
    idToken: undefined,
  };
}

/** A form that is sent with a value in each field. */
export type FilledForm = {
  pattern: string;
  intent: string | undefined;
  path: string;
  fields: Record<string, string>;
};

/** Fills in every form of the product whose URL is asked for, one after the other. */
export async function* everyForm(
  d1: D1Database,
  world: World,
  aim: Aim,
  isAsked: (pattern: string) => boolean = () => true,
): AsyncGenerator<FilledForm> {
  for (const [pattern, forms] of Object.entries(FORMS)) {
    if (!isAsked(pattern)) continue;
    const path = urlOf(pattern, world, aim);
    const posts = forms.flatMap((form) => (Array.isArray(form) ? form : []));
    for (const fields of posts) yield { pattern, intent: fields.intent, path, fields };
    for (const { intent, fields } of forms.flatMap((form) => shapesOf(form))) {
      const filled = await fillIn(d1, world, aim, pattern, fields);
      const texts = filled.flatMap(([name, value]): [string, string][] =>
        typeof value === "string" && value !== "" ? [[name, value]] : [],
      );
      const body = Object.fromEntries([...(intent ? [["intent", intent]] : []), ...texts]);
      yield { pattern, intent, path, fields: body };
    }
  }
}

function shapesOf(form: Form) {
  return Array.isArray(form) ? [] : formsOf(form);
}

/** Returns the names of fields with their values. */
export async function fillIn(
  d1: D1Database,
  world: World,
  aim: Aim,
  pattern: string,
  fields: string[],
): Promise<[name: string, value: unknown][]> {
  const values = await valuesFor(d1, world, aim, pattern);
  return fields.map((name) => {
    if (!Object.hasOwn(values, name)) throw new Error(`What is written into ${pattern}, ${name}?`);
    return [name, values[name]];
  });
}

/** Returns a form's URL in a world. */
export function urlOf(pattern: string, world: World, aim: Aim) {
  return withIds(pattern, world.ids)
    .replace("/users/:id", `/users/${aim.user.id}`)
    .replace("/organizations/:id", `/organizations/${world.organization.id}`)
    .replace("/invitations/:id", `/invitations/${world.invitation}`)
    .replace(":token", "no.token")
    .replace(":slug", world.organization.slug)
    .replace(":theme", "light");
}
