import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";
import type { FeatureRoute, RoutePlace } from "./feature.ts";
import { FEATURE_ROUTES } from "./features.ts";

type Area = "app" | "manager";

/** Returns what the features have in a place of the list below. A screen that is in both areas has an id for each. */
function featureRoutes(place: RoutePlace, area?: Area) {
  return Object.entries<readonly FeatureRoute[]>(FEATURE_ROUTES).flatMap(([name, routes]) =>
    routes
      .filter((one) => one.in === place)
      .map(({ path, file }) =>
        route(
          path,
          `features/${name}/routes/${file}`,
          area ? { id: `${area}-${place}-${path}` } : {},
        ),
      ),
  );
}

function accountRoutes(area: Area) {
  const id = (screen: string) => ({ id: `${area}-${screen}` });
  return [
    route("account", "routes/account/account.tsx", id("account")),
    route("account/confirm", "routes/account/confirm.tsx", id("account-confirm")),
    route("account/picture", "routes/account/picture.tsx", id("account-picture")),
    route("account/data", "routes/account/data.ts", id("account-data")),
    route("account/delete", "routes/account/delete.tsx", id("account-delete")),
    ...prefix("account", featureRoutes("account", area)),
  ];
}

export default [
  index("routes/home.ts"),

  layout("routes/login/layout.tsx", [
    route("login", "routes/login/login.tsx"),
    route("login/verify", "routes/login/verify.tsx"),
    route("login/error", "routes/login/error.tsx"),
    ...featureRoutes("login"),
  ]),
  route("onboarding", "routes/onboarding.tsx"),
  route("invitations/:id", "routes/invitation.tsx"),
  route("invitations/links/:token", "routes/invitation-link.tsx"),
  route("restore", "routes/restore.tsx"),
  route("terms", "routes/terms.tsx"),

  route("app", "routes/app/layout.tsx", [
    layout("routes/content.tsx", { id: "app-content" }, [
      index("routes/app/home.tsx"),
      route("organizations", "routes/app/organizations.tsx"),
      route("organizations/new", "routes/app/organization-new.tsx"),
      route("organizations/:slug", "routes/app/organization.tsx"),
      route("organizations/:slug/members", "routes/app/organization-members.tsx"),
      route("organizations/:slug/invitations", "routes/app/organization-invitations.tsx"),
      route("organizations/:slug/settings", "routes/app/organization-settings.tsx"),
      route("organizations/:slug/logo", "routes/app/organization-logo.tsx"),
      ...prefix("organizations/:slug", featureRoutes("organization")),
      ...featureRoutes("app"),
      ...accountRoutes("app"),
      route("*", "routes/not-found.tsx", { id: "app-not-found" }),
    ]),
    route("active-organization", "routes/app/active-organization.ts"),
  ]),

  // Beside the area, because it opens before the area does.
  route("manager/passkey", "routes/manager/passkey.tsx"),
  route("manager", "routes/manager/layout.tsx", [
    layout("routes/content.tsx", { id: "manager-content" }, [
      index("routes/manager/home.tsx"),
      route("dashboard", "routes/manager/dashboard.tsx"),
      route("users", "routes/manager/users.tsx"),
      route("users/new", "routes/manager/user-new.tsx"),
      route("users/:id", "routes/manager/user.tsx"),
      route("users/:id/update", "routes/manager/user-update.tsx"),
      route("organizations", "routes/manager/organizations.tsx"),
      route("organizations/new", "routes/manager/organization-new.tsx"),
      route("organizations/:id", "routes/manager/organization.tsx"),
      route("audit", "routes/manager/audit.tsx"),
      route("mail", "routes/manager/mail.tsx"),
      route("mail/sign-in", "routes/manager/sign-in-log.tsx"),
      route("settings", "routes/manager/settings-layout.tsx", [
        index("routes/manager/settings.tsx"),
        route("access", "routes/manager/settings-access.tsx"),
        route("security", "routes/manager/settings-security.tsx"),
        route("brand", "routes/manager/settings-brand.tsx"),
        route("system", "routes/manager/settings-system.tsx"),
        ...featureRoutes("settings"),
      ]),
      ...featureRoutes("manager"),
      ...accountRoutes("manager"),
      route("*", "routes/not-found.tsx", { id: "manager-not-found" }),
    ]),
    route("users/export", "routes/manager/users-export.ts"),
    route("organizations/export", "routes/manager/organizations-export.ts"),
    route("audit/export", "routes/manager/audit-export.ts"),
    ...featureRoutes("manager-files"),
  ]),

  route("avatars/:id", "routes/avatar.ts"),
  route("logos/:file", "routes/logo.ts"),
  route("brand/:file", "routes/brand-file.ts"),
  route("manifest.webmanifest", "routes/manifest.ts"),
  route("icon.svg", "routes/icon.ts"),
  route("preferences", "routes/preferences.ts"),
  route("sign-out", "routes/sign-out.ts"),
  route("stop-impersonating", "routes/stop-impersonating.ts"),
  route("api/auth/*", "routes/api/auth.ts"),
  route("api/webhooks/resend", "routes/api/resend-webhook.ts"),
  route("_server/:id", "routes/api/server-function.ts"),
  route("dev/inbox", "routes/dev-inbox.tsx"),
  route("dev/mails", "routes/dev-mails.tsx"),

  route("health", "routes/api/health.ts"),
  route("ready", "routes/api/ready.ts"),
  route("robots.txt", "routes/api/robots.ts"),
  route("llms.txt", "routes/api/llms.ts"),
  ...prefix(".well-known", [
    route("security.txt", "routes/api/security-txt.ts"),
    route("change-password", "routes/api/change-password.ts"),
    route("passkey-endpoints", "routes/api/passkey-endpoints.ts"),
  ]),

  ...featureRoutes("root"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
