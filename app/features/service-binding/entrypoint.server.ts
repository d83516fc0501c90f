import { WorkerEntrypoint } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { href } from "react-router";
import { isUnavailable, withBoundedWait } from "../../db/bounded-d1.server.ts";
import { connectDb, type Db } from "../../db/db.server.ts";
import { user } from "../../db/schema/schema.ts";
import { safeRedirect } from "../../http/safe-redirect.ts";
import { describeError, log } from "../../runtime/log.ts";
import { type OrganizationPermission, roleMayDo } from "../access/organization-permissions.ts";
import { mayDo, type Permission } from "../access/permissions.ts";
import { describeSession } from "../auth/gateway/own-endpoints.server.ts";
import {
  type CurrentSession,
  checkEntry,
  ENTRY_SCREENS,
  findSession,
} from "../auth/sessions/sessions.server.ts";
import {
  type Config,
  ConfigurationError,
  parseConfig,
  requireServableConfiguration,
} from "../environment/config.ts";
import { selectStanding } from "../organizations/standing.server.ts";
import { termsVersionInForce } from "../site-settings/terms.server.ts";

/**
 * The part of a request that identifies the user. A `Request` fits too, but the call would take its
 * body from the caller.
 */
export type Asked = { readonly url: string; readonly headers: Headers };

/** An organization of the user: the one that they work in, or one that the caller names. */
export type Organization = "active" | { id: string } | { slug: string };

type Known = ReturnType<typeof describeSession>;

/** The session and its user, as `/api/auth/get-session` tells them to clients. */
export type Current = {
  session: Known["session"];
  user: Known["user"] & {
    /** URL of the picture. */
    picture: string | null;
  };
};

type EntryCode = keyof typeof ENTRY_SCREENS;

export type SessionAnswer =
  | {
      ok: true;
      current: Current;
      screen: null;
      /** To pass on to the browser, when the session was extended. */
      setCookie: string | null;
    }
  | {
      ok: false;
      code: EntryCode;
      current: null;
      /** URL of the product's screen that comes first, such as the sign-in. */
      screen: string;
      setCookie: string | null;
    }
  | { ok: false; code: "UNAVAILABLE"; current: null; screen: null; setCookie: null };

/** What other users see of a user, and the role. */
type KnownUser = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  picture: string | null;
  role: string;
};

export type UserAnswer = { ok: true; user: KnownUser | null } | { ok: false; code: "UNAVAILABLE" };

type Parts = { config: Config; db: Db };

/** Each `env` of an isolate has its own settings and database. */
const known = new WeakMap<Env, Parts>();

/**
 * What a Worker of the same account asks by a service binding with this entrypoint. A Worker
 * with the binding is trusted as the operator is. A call changes only what an opened page changes:
 * when the session was used last, and so when it ends.
 */
export class Identity extends WorkerEntrypoint<Env> {
  /** Returns who sent a request, under the conditions of the product's own screens. */
  async session(asked: Asked): Promise<SessionAnswer> {
    const answer = await withParts(this.env, "session", async (parts) => {
      const found = await findAsker(parts, asked);
      const { baseUrl } = parts.config;
      const touch = found?.touch;
      if (touch) {
        this.ctx.waitUntil(
          touch().catch((error) => log("warn", "session.not_touched", describeError(error))),
        );
      }
      const setCookie = found?.cookie ?? null;
      const entry = checkEntry(found?.current);
      if (entry.ok) {
        const current = toCurrent(entry.current, baseUrl);
        return { ok: true, current, screen: null, setCookie } as const;
      }
      const { code } = entry;
      const screen = screenFor(code, asked, baseUrl);
      return { ok: false, code, current: null, screen, setCookie } as const;
    });
    return (
      answer ?? { ok: false, code: "UNAVAILABLE", current: null, screen: null, setCookie: null }
    );
  }

  /**
   * Returns whether the user of a request has a permission: of the site, or within an organization.
   * False for a user who may not open the screens. Null while the database does not answer.
   */
  async can(asked: Asked, permission: Permission): Promise<boolean | null>;
  async can(
    asked: Asked,
    permission: OrganizationPermission,
    organization: Organization,
  ): Promise<boolean | null>;
  async can(
    asked: Asked,
    permission: Permission | OrganizationPermission,
    organization?: Organization,
  ): Promise<boolean | null> {
    const answer = await withParts(this.env, "can", async (parts) => {
      const found = await findAsker(parts, asked);
      const entry = checkEntry(found?.current);
      if (!entry.ok) return false;
      const { current } = entry;
      if (organization === undefined) return mayDo(current.user, permission);
      const id = current.session.activeOrganizationId;
      const key = organization === "active" ? id && { id } : organization;
      if (!key) return false;
      const actor = { actorId: current.user.id };
      const [standing] = await selectStanding({ db: parts.db, key, actor, as: "member" });
      if (!standing?.role || standing.disabledAt || standing.deletionDueAt) return false;
      return roleMayDo(standing.role, permission);
    });
    return answer ?? null;
  }

  /** Returns what is known of a user; null for an unknown id. */
  async user(id: string): Promise<UserAnswer> {
    const answer = await withParts(this.env, "user", async ({ config, db }) => {
      const [row] = await db
        .select({
          id: user.id,
          name: user.name,
          email: user.email,
          emailVerified: user.emailVerified,
          avatar: user.avatar,
          role: user.role,
        })
        .from(user)
        .where(eq(user.id, id));
      if (!row) return { ok: true, user: null } as const;
      const { avatar, ...facts } = row;
      return { ok: true, user: { ...facts, picture: pictureOf(avatar, config.baseUrl) } } as const;
    });
    return answer ?? { ok: false, code: "UNAVAILABLE" };
  }
}

/**
 * Answers a call. Undefined when the database does not answer in time, or the site is not set up.
 */
async function withParts<Answer>(
  env: Env,
  call: string,
  work: (parts: Parts) => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    const parts = known.get(env) ?? connect(env);
    known.set(env, parts);
    const { result } = await withBoundedWait(() => work(parts));
    return result;
  } catch (error) {
    if (error instanceof ConfigurationError) {
      log("error", "configuration.incomplete", { call, reason: error.message });
      return undefined;
    }
    if (!isUnavailable(error)) throw error;
    log("error", "database.unavailable", { call, ...describeError(error) });
    return undefined;
  }
}

function connect(env: Env): Parts {
  const config = parseConfig(env);
  requireServableConfiguration(config, config.isLoopback);
  return { config, db: connectDb(env.DB) };
}

function findAsker({ config, db }: Parts, { url, headers }: Asked) {
  return findSession(new Request(url, { headers }), {
    db,
    secrets: config,
    isSecure: config.isSecure,
    adminEmails: config.adminEmails,
    now: new Date(),
    termsVersion: termsVersionInForce(config),
  });
}

function toCurrent(found: CurrentSession, baseUrl: string): Current {
  const { session, user } = describeSession(found);
  return { session, user: { ...user, picture: pictureOf(user.avatar, baseUrl) } };
}

function pictureOf(avatar: string | null, baseUrl: string): string | null {
  return avatar && baseUrl + href("/avatars/:id", { id: avatar });
}

/**
 * Returns the URL of the screen that the user needs first. It leads back to the request's page if
 * the product's own pages could.
 */
function screenFor(code: EntryCode, asked: Asked, baseUrl: string): string {
  const { origin, pathname, search } = new URL(asked.url);
  const back = origin === baseUrl ? safeRedirect(pathname + search) : undefined;
  return baseUrl + ENTRY_SCREENS[code] + (back ? `?redirect=${encodeURIComponent(back)}` : "");
}
