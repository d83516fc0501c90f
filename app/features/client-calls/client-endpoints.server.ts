import type { ClientServices } from "../../feature.server.ts";
import { findCookie } from "../../http/cookies.ts";
import { describeOccasion } from "../audit/occasion.server.ts";
import { ownRequestOf } from "../auth/codes/account-codes.server.ts";
import type { ClientEndpoints } from "../auth/gateway/client-endpoint.ts";
import { startImpersonation } from "../auth/impersonation/impersonation.server.ts";
import { mailboxOf } from "../auth/mailbox.ts";
import { deviceCookieName, trustDevice } from "../auth/sessions/device.server.ts";
import { clearSessionCookie } from "../auth/sessions/sessions.server.ts";
import { listProviders } from "../auth/sign-in/providers.ts";
import { deletePicture } from "../avatars/picture-store.server.ts";
import { onboardUser } from "../users/commands/onboarding.server.ts";
import { revokeUserSessions } from "../users/commands/user-commands.server.ts";
import { type AccountServices, createAccountEndpoints } from "./account-endpoints.server.ts";
import { createOrganizationEndpoints } from "./organizations/organization-endpoints.server.ts";
import { createPasskeyEndpoints } from "./passkey-endpoints.server.ts";
import { createAdminEndpoints } from "./users/admin-endpoints.server.ts";

/** Returns the endpoints of better-auth's client that the product's commands answer, by path. */
export function createClientEndpoints(services: ClientServices): ClientEndpoints {
  const { config, db, keys, mailer, avatars } = services;
  const { acceptsEmail, emailChange, prepareErasure, endAccess } = services;
  const { organizationEndpoints, organizationParts } = services;
  const { baseUrl, plan, adminEmails, isSecure, secret } = config;
  const ownRequest: AccountServices["ownRequest"] = ({ current, info, language }) => {
    const asker = {
      userId: current.user.id,
      sessionId: current.session.id,
      language,
      request: describeOccasion(info),
      ipAddress: info.limitedIpAddress,
    };
    return ownRequestOf(current, asker, info);
  };
  return {
    ...createOrganizationEndpoints(
      {
        db,
        mailer,
        baseUrl,
        deleteLogo: (file) => deletePicture(avatars, "logo", file),
        organizationParts,
      },
      organizationEndpoints,
    ),
    ...createPasskeyEndpoints({ db }),
    ...createAccountEndpoints({
      db,
      emailChange,
      ownRequest,
      providerIds: listProviders(config.social).map(({ id }) => id),
      onboard: (source, own) => onboardUser(db, source, own),
      revokeSession: (actor, which) => revokeUserSessions(db, actor, which),
      clearCookie: () => clearSessionCookie(isSecure),
      trustMailbox: async (request, email, now) => {
        const cookie = findCookie(request, deviceCookieName(isSecure));
        return trustDevice({ keys, isSecure }, cookie, await mailboxOf(keys, email), now);
      },
    }),
    ...createAdminEndpoints({
      db,
      mailer,
      baseUrl,
      plan,
      adminEmails,
      acceptsEmail,
      endAccess,
      prepareErasure,
      startImpersonation: (call, input) =>
        startImpersonation({ db, keys, secret, isSecure }, call, input),
      deletePicture: (file) => deletePicture(avatars, "avatar", file),
    }),
  };
}
