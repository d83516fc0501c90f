// The types of the product's entrypoint `Identity`, for a Worker that has a service binding to it. Copy this file, or
// import it. The product's type check compares it with the real ones; `npm run schema` writes the permissions below.

/** What the binding answers. Each call is one round trip between two Workers, without a token. */
export type Identity = {
  /** Returns who sent a request. The person is let in under the conditions of the product's own screens. */
  session(request: Asked): Promise<SessionAnswer>;
  /**
   * Returns whether the user of a request has a permission: of the site, or within an organization.
   * False for everybody whom the product's screens would not let in, null while the product cannot
   * answer. It does not ask how fresh the proof is: `session.authenticatedAt` says that.
   */
  can(request: Asked, permission: Permission): Promise<boolean | null>;
  can(
    request: Asked,
    permission: OrganizationPermission,
    organization: Organization,
  ): Promise<boolean | null>;
  /** Returns what is known of a user; null for an unknown id. */
  user(id: string): Promise<UserAnswer>;
};

/**
 * What of a request tells who asks: `{ url: request.url, headers: request.headers }`. A `Request` is one too, but takes
 * its body along, and you could not read it any more.
 */
export type Asked = { readonly url: string; readonly headers: Headers };

/** An organization of the user: the one that they work in, or one that you name. */
export type Organization = "active" | { id: string } | { slug: string };

export type SessionAnswer =
  | {
      ok: true;
      current: Current;
      screen: null;
      /** Pass it on to the browser: the session was extended. */
      setCookie: string | null;
    }
  | {
      ok: false;
      code: "UNAUTHORIZED" | "ACCOUNT_BEING_DELETED" | "NOT_ONBOARDED" | "TERMS_NOT_ACCEPTED";
      current: null;
      /** URL of the product's screen that comes first, such as the sign-in. Redirect there. */
      screen: string;
      setCookie: string | null;
    }
  /** The database does not answer, or the site is not set up. Answer 503. */
  | { ok: false; code: "UNAVAILABLE"; current: null; screen: null; setCookie: null };

/** The session and its user, as `/api/auth/get-session` tells them. */
export type Current = {
  session: {
    id: string;
    userId: string;
    createdAt: Date;
    updatedAt: Date;
    expiresAt: Date;
    ipAddress: string | null;
    userAgent: string | null;
    /** Time of the last proof of identity; null means the sign-in itself. */
    authenticatedAt: Date | null;
    activeOrganizationId: string | null;
    activeTeamId: string | null;
    /** Id of the manager who acts as the user; null when it is the user. */
    impersonatedBy: string | null;
    impersonation: { manager: string; endsAt: Date } | null;
    /** What a manager must do before the back-office opens. Until then the role is `user`. */
    passkeyDemand: "add" | "confirm" | null;
    passkeyGraceEndsAt: Date | null;
  };
  user: {
    id: string;
    name: string;
    email: string;
    emailVerified: boolean;
    image: string | null;
    avatar: string | null;
    /** URL of the picture. */
    picture: string | null;
    /** Roles, with a comma between them. Ask `can` what they may do. */
    role: string;
    onboardedAt: Date | null;
    language: string | null;
    theme: string | null;
    deletionDueAt: Date | null;
    createdAt: Date;
    updatedAt: Date;
    termsDue: string | null;
  };
};

export type UserAnswer =
  | { ok: true; user: KnownUser | null }
  /** The database does not answer, or the site is not set up. */
  | { ok: false; code: "UNAVAILABLE" };

export type KnownUser = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  /** URL of the picture. */
  picture: string | null;
  role: string;
};

// Written by `npm run schema`.

/** What a user may do on the site. */
export type Permission =
  | readonly ["user", "create"]
  | readonly ["user", "list"]
  | readonly ["user", "get"]
  | readonly ["user", "update"]
  | readonly ["user", "set-role"]
  | readonly ["user", "set-email"]
  | readonly ["user", "set-password"]
  | readonly ["user", "ban"]
  | readonly ["user", "impersonate"]
  | readonly ["user", "delete"]
  | readonly ["user", "export"]
  | readonly ["session", "list"]
  | readonly ["session", "revoke"]
  | readonly ["session", "delete"]
  | readonly ["account", "read"]
  | readonly ["account", "update"]
  | readonly ["apps", "app"]
  | readonly ["apps", "manager"]
  | readonly ["organization", "read"]
  | readonly ["organization", "create"]
  | readonly ["organization", "update"]
  | readonly ["organization", "delete"]
  | readonly ["organization", "export"]
  | readonly ["dashboard", "read"]
  | readonly ["audit", "read"]
  | readonly ["audit", "export"]
  | readonly ["mail", "read"]
  | readonly ["mail", "retry"]
  | readonly ["settings", "read"]
  | readonly ["settings", "update"]
  | readonly ["system", "read"]
  | readonly ["note", "read"]
  | readonly ["note", "write"]
  | readonly ["repository", "read"]
  | readonly ["repository", "create"]
  | readonly ["repository", "update"]
  | readonly ["repository", "delete"]
  | readonly ["repository", "export"];

/** What a user may do within an organization. */
export type OrganizationPermission =
  | readonly ["organization", "update"]
  | readonly ["organization", "delete"]
  | readonly ["member", "create"]
  | readonly ["member", "update"]
  | readonly ["member", "delete"]
  | readonly ["invitation", "create"]
  | readonly ["invitation", "cancel"]
  | readonly ["ac", "read"]
  | readonly ["apiKey", "create"]
  | readonly ["apiKey", "delete"]
  | readonly ["app", "create"]
  | readonly ["app", "update"]
  | readonly ["app", "delete"]
  | readonly ["repository", "read"]
  | readonly ["repository", "create"]
  | readonly ["repository", "delete"]
  | readonly ["team", "create"]
  | readonly ["team", "update"]
  | readonly ["team", "delete"]
  | readonly ["webhook", "update"];
