export const ROLES = ["anonymous", "newcomer", "user", "admin", "banned"] as const;
export type Role = (typeof ROLES)[number];

/** A status, or the target of a redirect. */
export type Outcome = number | string;
type Row = { read: Record<Role, Outcome>; write: Record<Role, Outcome> };

/** A URL that answers every role alike. Bodies are empty here, so an action that runs answers 400 or 415. */
function open(read: Outcome, write: Outcome): Row {
  const all = (outcome: Outcome) => ({
    anonymous: outcome,
    newcomer: outcome,
    user: outcome,
    admin: outcome,
    banned: outcome,
  });
  return { read: all(read), write: all(write) };
}

/** A sign-in screen; signed-in users are redirected to their first page. */
function signInScreen(read: Outcome, write: Outcome): Row {
  const away = { newcomer: "/app", user: "/app", admin: "/manager/dashboard" };
  return {
    read: { anonymous: read, banned: read, ...away },
    write: { anonymous: write, banned: write, ...away },
  };
}

/** A screen for signed-in users with a name; `read` and `write` are the outcomes for these. */
function guarded(
  read: Record<"user" | "admin", Outcome>,
  write: Record<"user" | "admin", Outcome>,
): Row {
  const refused = {
    anonymous: "/login?redirect=HERE",
    banned: "/login?redirect=HERE",
    newcomer: "/onboarding?redirect=HERE",
  };
  return { read: { ...refused, ...read }, write: { ...refused, ...write } };
}

function appScreen(read: Outcome, write: Outcome): Row {
  return guarded({ user: read, admin: read }, { user: write, admin: write });
}

function managerScreen(read: Outcome, write: Outcome): Row {
  return guarded({ user: 403, admin: read }, { user: 403, admin: write });
}

/** The outcome of every URL in `routes.ts` for each role. No row has the `:id` used here. */
export const TABLE: Record<string, Row> = {
  "/": open("/login", 405),
  "/login": signInScreen(200, 415),
  "/login/verify": signInScreen("/login", "/login"),
  "/login/error": signInScreen(200, 405),
  "/login/waiting-list": signInScreen("/login", "/login"),
  "/onboarding": {
    read: {
      anonymous: "/login",
      banned: "/login",
      newcomer: 200,
      user: "/app",
      admin: "/manager/dashboard",
    },
    write: {
      anonymous: "/login",
      banned: "/login",
      newcomer: 415,
      user: "/app",
      admin: "/manager/dashboard",
    },
  },
  "/restore": {
    read: {
      anonymous: "/login",
      banned: "/login",
      newcomer: "/app",
      user: "/app",
      admin: "/manager/dashboard",
    },
    write: {
      anonymous: "/login",
      banned: "/login",
      newcomer: "/app",
      user: "/app",
      admin: "/manager/dashboard",
    },
  },
  "/terms": {
    read: {
      anonymous: "/login",
      banned: "/login",
      newcomer: "/app",
      user: "/app",
      admin: "/manager/dashboard",
    },
    write: {
      anonymous: "/login",
      banned: "/login",
      newcomer: "/app",
      user: "/app",
      admin: "/manager/dashboard",
    },
  },

  "/app": appScreen(200, 405),
  "/app/repositories": appScreen(200, 405),
  "/app/repositories/:id": appScreen(404, 405),
  "/app/organizations": appScreen(200, 405),
  "/app/organizations/new": appScreen(200, 415),
  "/app/organizations/:slug": appScreen(404, 405),
  "/app/organizations/:slug/members": appScreen(404, 415),
  "/app/organizations/:slug/teams": appScreen(404, 415),
  "/app/organizations/:slug/teams/:team": appScreen(404, 415),
  "/app/organizations/:slug/invitations": appScreen(404, 415),
  "/app/organizations/:slug/repositories": appScreen(404, 415),
  "/app/organizations/:slug/settings": appScreen(404, 415),
  "/app/organizations/:slug/logo": appScreen(404, 415),
  "/app/active-organization": appScreen("/app", 415),
  "/app/account": appScreen(200, 415),
  "/app/account/confirm": appScreen(200, 415),
  "/app/account/picture": appScreen(200, 415),
  "/app/account/data": appScreen(200, 405),
  "/app/account/delete": appScreen(200, 415),
  "/app/*": appScreen(404, 404),

  "/manager": managerScreen("/manager/dashboard", 405),
  "/manager/passkey": guarded(
    { user: 403, admin: "/manager/dashboard" },
    { user: 405, admin: 405 },
  ),
  "/manager/dashboard": managerScreen(200, 405),
  "/manager/users": managerScreen(200, 415),
  "/manager/users/new": managerScreen(200, 415),
  "/manager/users/:id": managerScreen(404, 415),
  "/manager/users/:id/update": managerScreen(404, 404),
  "/manager/users/export": managerScreen(200, 405),
  "/manager/audit": managerScreen(200, 405),
  "/manager/audit/export": managerScreen(200, 405),
  "/manager/mail": managerScreen(200, 415),
  "/manager/system": managerScreen(200, 405),
  "/manager/settings": managerScreen("/manager/settings/access", 405),
  "/manager/settings/access": managerScreen(200, 415),
  "/manager/settings/waiting-list": managerScreen(200, 415),
  "/manager/settings/roles": managerScreen(200, 415),
  "/manager/settings/brand": managerScreen(200, 415),
  "/manager/settings/brand/logo/:theme": managerScreen(404, 404),
  "/manager/repositories/export": managerScreen(200, 405),
  "/manager/account": managerScreen(200, 415),
  "/manager/account/confirm": managerScreen(200, 415),
  "/manager/account/picture": managerScreen(200, 415),
  "/manager/account/data": managerScreen(200, 405),
  "/manager/account/delete": managerScreen(200, 415),
  "/manager/*": managerScreen(404, 404),
  "/manager/organizations": managerScreen(200, 405),
  "/manager/organizations/new": managerScreen(200, 415),
  "/manager/organizations/:id": managerScreen(404, 415),
  "/manager/organizations/export": managerScreen(200, 405),
  "/manager/repositories": managerScreen(200, 415),
  "/manager/repositories/new": managerScreen(200, 415),
  "/manager/repositories/:id": managerScreen(404, 415),
  "/manager/repositories/:id/update": managerScreen(404, 404),

  "/brand/:file": open(404, 405),
  "/manifest.webmanifest": open(200, 405),
  "/icon.svg": open(200, 405),
  "/invitations/:id": {
    read: { ...open(404, 404).read, newcomer: "/onboarding?redirect=HERE" },
    write: {
      anonymous: "/login?redirect=HERE",
      banned: "/login?redirect=HERE",
      newcomer: "/onboarding?redirect=HERE",
      user: 415,
      admin: 415,
    },
  },
  "/avatars/:id": open(404, 405),
  "/logos/:file": open(404, 405),
  "/preferences": open("/", 415),
  "/stop-impersonating": open("/", "/"),
  "/api/auth/*": open(404, 404),
  "/api/webhooks/resend": open(405, 404),
  "/_server/:id": open(404, 404),
  "/dev/inbox": open(404, 405),
  "/dev/mails": open(404, 405),
  "/dev/ui": open(404, 405),
  "/health": open(200, 405),
  "/ready": open(200, 405),
  "/robots.txt": open(200, 405),
  "/.well-known/security.txt": open(404, 405),
  "/*": open(404, 404),

  // Last, because it ends the sessions that the other tests use.
  "/sign-out": open("/", "/login"),
};
/** URLs that answer POST only. */
export const POST_ONLY = ["/_server/:id", "/api/webhooks/resend"];
