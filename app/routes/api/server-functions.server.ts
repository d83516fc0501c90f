import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import { type Action, can, may, type Resource } from "../../features/access/permissions.ts";
import { THINGS } from "../../features/access/things.ts";
import { type CurrentSession, checkEntry } from "../../features/auth/sessions/sessions.server.ts";
import { Slug } from "../../features/organizations/input.ts";
import { SLUG_MAX_LENGTH } from "../../features/organizations/organization-limits.ts";
import { isSlugFree } from "../../features/organizations/settings/organization-commands.server.ts";
import {
  proposeAnother,
  proposeSlug,
} from "../../features/organizations/settings/propose-slug.server.ts";
import {
  findConsequences,
  readTyped,
} from "../../features/site-settings/access-consequences.server.ts";
import { getAccessSettings } from "../../features/site-settings/site-settings.server.ts";
import { isEmailFree } from "../../features/users/list/user-queries.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { findRecords } from "../../lists/query/find-records.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { type Answer, define, type ServerFunction } from "../../server-functions/define.server.ts";
import { Email } from "../../values/email.ts";
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH, SEARCH_TERM_MAX_LENGTH } from "../../values/limits.ts";

function allows<R extends Resource>(resource: R, action: Action<R>) {
  return ({ user }: CurrentSession) => can(user, resource, action);
}

/**
 * Server functions of the core by id: `GET /_server/{id}?payload=…` or `POST {payload, context}`.
 * Each only reads; changes go through actions.
 */
const serverFunctions = {
  // Tells whether a typed slug can be used, or proposes one for a name.
  "organization-slug": define({
    input: z.object({
      name: z.string().max(NAME_MAX_LENGTH).optional(),
      slug: z.string().max(SLUG_MAX_LENGTH).optional(),
      exceptId: z.string().max(64).optional(),
    }),
    isAllowed: allows("apps", "app"),
    async handle({ db }, { name = "", slug: typed, exceptId }, _current, now) {
      const checked = Slug.safeParse(typed ?? (await proposeSlug(name)));
      if (!checked.success) {
        return { slug: typed ?? "", isFree: false, error: checked.error.issues[0]?.message };
      }
      const slug = checked.data;
      const isFree = await isSlugFree(db, { slug, exceptId, now });
      if (typed === undefined && !isFree) return { slug: proposeAnother(slug), isFree: true };
      return { slug, isFree, error: isFree ? undefined : "organizations:slugTaken" };
    },
  }),
  "email-availability": define({
    input: z.object({
      email: z.string().max(EMAIL_MAX_LENGTH, {
        error: `validation:tooLong?maximum=${EMAIL_MAX_LENGTH}`,
      }),
      exceptId: z.string().max(64).optional(),
    }),
    isAllowed: ({ user }) => can(user, "user", "create") || can(user, "user", "set-email"),
    // An incomplete e-mail has no answer.
    handle: async ({ db }, { email, exceptId }) => {
      const { data } = Email.safeParse(email);
      return {
        isAvailable: data ? await isEmailFree(db, { email: data, exceptId }) : undefined,
      };
    },
  }),
  // Tells what would follow from a save of the access settings, while they are chosen.
  "access-consequences": define({
    input: z.object({ typed: z.string().max(20_000) }),
    isAllowed: allows("settings", "update"),
    async handle({ db, config }, { typed }, { user }, now) {
      const before = await getAccessSettings(db);
      const change = { before, after: readTyped(typed, before) };
      return findConsequences(db, config, change, { userId: user.id, now });
    },
  }),
  "record-search": define({
    input: z.object({ searchTerm: z.string().trim().min(1).max(SEARCH_TERM_MAX_LENGTH) }),
    isAllowed: allows("apps", "app"),
    handle: ({ db, features }, { searchTerm }, { user }) => {
      const things = Object.entries(features.found).filter(([kind]) => {
        const thing = THINGS[kind];
        return thing && may(user, thing.needs);
      });
      return findRecords(db, searchTerm, {
        users: can(user, "user", "list"),
        organizations: can(user, "organization", "read"),
        things: Object.fromEntries(things),
      });
    },
  }),
};

export type ServerFunctions = typeof serverFunctions;

/** Runs one server function for a session. Refusals are values: 401, 403, 404, or 400 with fields. */
export async function runServerFunction(
  context: Readonly<RouterContextProvider>,
  id: string,
  current: CurrentSession | undefined,
  payload: unknown,
): Promise<Answer> {
  const definition = isServerFunction(context, id) ? functionsOf(context)[id] : undefined;
  if (!definition) return { ok: false, status: 404, code: "NOT_FOUND" };
  const entry = checkEntry(current);
  if (!entry.ok) return entry;
  if (!definition.isAllowed(entry.current)) return { ok: false, status: 403, code: "FORBIDDEN" };
  const now = context.get(requestContext).now();
  return definition.answer(context.get(servicesContext), payload, entry.current, now);
}

/** True when there is a server function with this id. */
export function isServerFunction(context: Readonly<RouterContextProvider>, id: string): boolean {
  return Object.hasOwn(functionsOf(context), id);
}

function functionsOf(context: Readonly<RouterContextProvider>) {
  const { features } = context.get(servicesContext);
  const all: Readonly<Record<string, ServerFunction>> = {
    ...features.functions,
    ...serverFunctions,
  };
  return all;
}
