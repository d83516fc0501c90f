import type { Db } from "../db/db.server.ts";
import type { EmailChange } from "../features/account/email-change.server.ts";
import { describeOccasion } from "../features/audit/occasion.server.ts";
import { ownRequestOf } from "../features/auth/codes/account-codes.server.ts";
import type { ClientEndpoints } from "../features/auth/gateway/client-endpoint.ts";
import { startImpersonation } from "../features/auth/impersonation/impersonation.server.ts";
import { mailboxOf } from "../features/auth/mailbox.ts";
import { deviceCookieName, trustDevice } from "../features/auth/sessions/device.server.ts";
import { clearSessionCookie } from "../features/auth/sessions/sessions.server.ts";
import { listProviders } from "../features/auth/sign-in/providers.ts";
import { deletePicture } from "../features/avatars/picture-store.server.ts";
import {
  type AccountServices,
  createAccountEndpoints,
} from "../features/client-calls/account-endpoints.server.ts";
import { createOrganizationEndpoints } from "../features/client-calls/organizations/organization-endpoints.server.ts";
import { createPasskeyEndpoints } from "../features/client-calls/passkey-endpoints.server.ts";
import { createAdminEndpoints } from "../features/client-calls/users/admin-endpoints.server.ts";
import type { Erasure } from "../features/deletion/erasure.server.ts";
import type { Config } from "../features/environment/config.ts";
import type { Mailer } from "../features/mail/outbox.server.ts";
import { onboardUser } from "../features/users/commands/onboarding.server.ts";
import { revokeUserSessions } from "../features/users/commands/user-commands.server.ts";
import type { UserServices } from "../features/users/commands/user-mail.server.ts";
import { SERVER_FEATURES } from "../features.server.ts";
import { findCookie } from "../http/cookies.ts";
import type { Keys } from "../runtime/keys.server.ts";

type Parts = {
  config: Config;
  db: Db;
  keys: Keys;
  mailer: Mailer;
  avatars: R2Bucket | undefined;
  acceptsEmail: (email: string) => Promise<boolean>;
  emailChange: EmailChange;
  erasure: Erasure;
  endAccess: UserServices["endAccess"];
};

/** Returns the endpoints of better-auth's client that the product's commands answer, by path. */
export function createClientEndpoints(parts: Parts): ClientEndpoints {
  const { config, db, keys, mailer, avatars, acceptsEmail, emailChange, erasure, endAccess } =
    parts;
  const { baseUrl, plan, adminEmails, isSecure, secret } = config;
  const ownRequest: AccountServices["ownRequest"] = ({ current, info, language }) => {
    const asker = {
      ...{ userId: current.user.id, sessionId: current.session.id },
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
        organizationParts: SERVER_FEATURES.organizationParts,
      },
      SERVER_FEATURES.organizationEndpoints,
    ),
    ...createPasskeyEndpoints({ db }),
    ...createAccountEndpoints({
      ...{ db, emailChange, ownRequest },
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
      prepareErasure: erasure.prepare,
      startImpersonation: (call, input) =>
        startImpersonation({ db, keys, secret, isSecure }, call, input),
      deletePicture: (file) => deletePicture(avatars, "avatar", file),
    }),
  };
}
