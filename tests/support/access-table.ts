import {
  ADMIN_ONLY,
  all,
  appScreen,
  closed,
  managerScreen,
  NOT_SUPPORT,
  NOT_SUPPORT_NOR_FORM,
  open,
  provedFile,
  READ_BY_AUDITOR,
  type Row,
  row,
  screenFor,
  signInScreen,
} from "./access-rows.ts";
import { withFeatures } from "./feature-tests.ts";

const CORE: Record<string, Row> = {
  "/": open("/login", 405),
  "/login": signInScreen(200, 415),
  "/login/verify": signInScreen("/login", "/login"),
  "/login/error": signInScreen(200, 405),
  "/onboarding": screenFor("newcomer", 200, 415),
  "/restore": screenFor("leaving", 200, "/app"),
  "/terms": screenFor("terms due", 200, 415),

  "/app": appScreen(200, 405),
  "/app/organizations": appScreen(200, 405),
  "/app/organizations/new": appScreen(200, 415, closed("/app/organizations/new")),
  "/app/organizations/:slug": appScreen(404, 405),
  "/app/organizations/:slug/members": appScreen(404, 415),
  "/app/organizations/:slug/invitations": appScreen(
    404,
    415,
    closed("/app/organizations/nothing-has-this/invitations"),
  ),
  "/app/organizations/:slug/settings": appScreen(
    404,
    415,
    closed("/app/organizations/nothing-has-this/settings"),
  ),
  "/app/organizations/:slug/logo": appScreen(
    404,
    415,
    closed("/app/organizations/nothing-has-this/logo"),
  ),
  "/app/active-organization": appScreen("/app", 415),
  "/app/account": appScreen(200, 415, closed("/app/account")),
  "/app/account/confirm": appScreen(200, 415, closed("/app/account/confirm")),
  "/app/account/picture": appScreen(200, 415, closed("/app/account/picture")),
  "/app/account/data": appScreen(200, 405, {
    read: {
      impersonated: "/app/account",
      stale: "/app/account/confirm?next=%2Fapp%2Faccount",
      "passkey to confirm": "/app/account/confirm?next=%2Fapp%2Faccount",
    },
  }),
  "/app/account/delete": appScreen(200, 415, {
    read: {
      impersonated: "/app/account",
      "passkey to confirm": "/app/account/confirm?next=HERE&passkey=",
      "passkey to add": "/manager/passkey?next=HERE",
    },
    write: {
      impersonated: "/app/account/delete",
      "passkey to confirm": "/app/account/confirm?next=HERE&passkey=",
      "passkey to add": "/manager/passkey?next=HERE",
    },
  }),
  "/app/*": appScreen(404, 404),

  "/manager": managerScreen("/manager/dashboard", 405),
  "/manager/passkey": managerScreen("/manager/dashboard", 405, {
    read: { "passkey to confirm": 200, "passkey to add": 200 },
    write: { user: 405, impersonated: 405, "passkey to confirm": 405, "passkey to add": 405 },
  }),
  "/manager/dashboard": managerScreen(200, 405),
  "/manager/users": managerScreen(200, 415),
  "/manager/users/new": managerScreen(200, 415, ADMIN_ONLY),
  "/manager/users/:id": managerScreen(404, 415),
  "/manager/users/:id/update": managerScreen(404, 404, ADMIN_ONLY),
  "/manager/users/export": managerScreen(200, 405, provedFile("/manager/users")),
  "/manager/audit": managerScreen(200, 405, NOT_SUPPORT),
  "/manager/audit/export": managerScreen(200, 405, provedFile("/manager/audit")),
  "/manager/mail": managerScreen(200, 415, { write: { auditor: 403 } }),
  "/manager/mail/sign-in": managerScreen(200, 405),
  "/manager/settings/system": managerScreen(200, 415, NOT_SUPPORT_NOR_FORM),
  "/manager/settings": managerScreen("/manager/settings/access", 405, NOT_SUPPORT),
  "/manager/settings/access": managerScreen(200, 415, READ_BY_AUDITOR),
  "/manager/settings/security": managerScreen(200, 415, {
    read: { support: 403 },
    write: { support: 403, auditor: 403, stale: "/manager/account/confirm?next=HERE" },
  }),
  "/manager/settings/brand": managerScreen(200, 415, READ_BY_AUDITOR),
  "/manager/account": managerScreen(200, 415),
  "/manager/account/confirm": managerScreen(200, 415),
  "/manager/account/picture": managerScreen(200, 415),
  "/manager/account/data": managerScreen(200, 405, {
    read: { stale: "/manager/account/confirm?next=%2Fmanager%2Faccount" },
  }),
  "/manager/account/delete": managerScreen(200, 415),
  "/manager/*": managerScreen(404, 404),
  "/manager/organizations": managerScreen(200, 405, NOT_SUPPORT),
  "/manager/organizations/new": managerScreen(200, 415, ADMIN_ONLY),
  "/manager/organizations/:id": managerScreen(404, 415, NOT_SUPPORT_NOR_FORM),
  "/manager/organizations/export": managerScreen(200, 405, provedFile("/manager/organizations")),

  "/brand/:file": open(404, 405),
  "/manifest.webmanifest": open(200, 405),
  "/icon.svg": open(200, 405),
  "/invitations/:id": appScreen(404, 415, {
    read: { anonymous: 404, banned: 404 },
    write: { impersonated: "/invitations/nothing-has-this" },
  }),
  "/invitations/links/:token": appScreen(200, 415, {
    read: { anonymous: 200, banned: 200 },
    write: { impersonated: "/invitations/links/nothing-has-this" },
  }),
  "/avatars/:id": open(404, 405),
  "/logos/:file": open(404, 405),
  "/preferences": open("/", 415),
  "/stop-impersonating": row(all("/"), { ...all("/"), impersonated: "/login" }),
  "/api/auth/*": open(404, 404),
  "/api/webhooks/resend": open(405, 404),
  "/_server/:id": open(404, 404),
  "/dev/inbox": open(404, 405),
  "/dev/mails": open(404, 405),
  "/health": open(200, 405),
  "/ready": open(200, 405),
  "/robots.txt": open(200, 405),
  "/llms.txt": open(200, 405),
  "/.well-known/security.txt": open(404, 405),
  "/.well-known/change-password": row(
    {
      ...all("/app/account#security"),
      anonymous: "/login?redirect=%2Fapp%2Faccount%23security",
      banned: "/login?redirect=%2Fapp%2Faccount%23security",
    },
    all(405),
  ),
  "/.well-known/passkey-endpoints": open(200, 405),
  "/*": open(404, 404),
};

/** The outcome of every URL in `routes.ts` for each role. No row has the `:id` used here. */
export const TABLE: Record<string, Row> = {
  ...withFeatures(CORE, ({ access }) => access),
  // Last, because it ends the sessions that the other tests use.
  "/sign-out": open("/", "/login"),
};

/** URLs that answer POST only. */
export const POST_ONLY = ["/_server/:id", "/api/webhooks/resend"];

/** URLs whose forms end what makes the role, which is made anew before each request. */
export const ENDING: readonly string[] = ["/restore", "/stop-impersonating"];
