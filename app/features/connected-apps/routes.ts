import type { FeatureRoute } from "../../feature.ts";

export const connectedAppRoutes = [
  { in: "root", path: "api/auth/oauth2/authorize", file: "authorize.ts" },
  { in: "root", path: "api/auth/oauth2/cancel", file: "cancel.ts" },
  { in: "root", path: "api/auth/oauth2/end-session", file: "end-session.ts" },
  { in: "root", path: "api/auth/oauth2/token", file: "token.ts" },
  { in: "root", path: "api/auth/oauth2/userinfo", file: "userinfo.ts" },
  { in: "root", path: "api/auth/oauth2/introspect", file: "introspect.ts" },
  { in: "root", path: "api/auth/oauth2/revoke", file: "revoke.ts" },
  { in: "root", path: "api/auth/jwks", file: "jwks.ts" },
  { in: "root", path: ".well-known/openid-configuration", file: "openid-configuration.ts" },
  { in: "root", path: ".well-known/oauth-authorization-server", file: "oauth-server.ts" },
  { in: "root", path: "connected-apps/pictures/:id", file: "picture.ts" },
  { in: "root", path: "app/connect", file: "connect.tsx" },
  { in: "root", path: "app/connect/sign-out", file: "sign-out.tsx" },
  { in: "root", path: "app/connect/error", file: "error.tsx" },
  { in: "account", path: "apps", file: "account-apps.tsx" },
  { in: "manager-files", path: "users/:id/apps", file: "user-apps.ts" },
  { in: "settings", path: "apps", file: "settings-apps.tsx" },
  { in: "settings", path: "apps/new", file: "settings-app-new.tsx" },
  { in: "settings", path: "apps/:id", file: "settings-app.tsx" },
] as const satisfies readonly FeatureRoute[];
