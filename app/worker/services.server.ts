import { connectDb, type Db } from "../db/db.server.ts";
import type { FoldedServer, Host } from "../feature.server.ts";
import { createEmailChange, type EmailChange } from "../features/account/email-change.server.ts";
import {
  type AccountCodes,
  createAccountCodes,
} from "../features/auth/codes/account-codes.server.ts";
import { forgetMailboxes } from "../features/auth/codes/forget-mailbox.server.ts";
import { createAuth, createPasskeyAuth } from "../features/auth/gateway/auth.server.ts";
import { createGateway, type Gateway } from "../features/auth/gateway/gateway.server.ts";
import { allMailboxesOf } from "../features/auth/mailbox.ts";
import type { RefusalRule } from "../features/auth/sign-in/admission.server.ts";
import { findBannedEmails, keepBans } from "../features/auth/sign-in/banned-mailbox.server.ts";
import { listProviders } from "../features/auth/sign-in/providers.ts";
import {
  type AccountDeletion,
  createAccountDeletion,
} from "../features/deletion/account-deletion.server.ts";
import { createErasure, type Erasure } from "../features/deletion/erasure.server.ts";
import { type Config, requireBuilt } from "../features/environment/config.ts";
import type { Mailer } from "../features/mail/outbox.server.ts";
import { linkIdOf } from "../features/organizations/invitations/link-token.server.ts";
import {
  admissionOf,
  findRefusedEmails,
  isEmailAccepted,
  refusalRuleOf,
} from "../features/site-settings/admission-rules.server.ts";
import type { PublicSettingsReader } from "../features/site-settings/public-settings.server.ts";
import { onboardUser } from "../features/users/commands/onboarding.server.ts";
import { revokeUserSessions } from "../features/users/commands/user-commands.server.ts";
import type { UserServices } from "../features/users/commands/user-mail.server.ts";
import { SERVER_FEATURES } from "../features.server.ts";
import type { Language } from "../i18n/languages.ts";
import type { Keys } from "../runtime/keys.server.ts";
import { ringOf } from "./host.server.ts";
import { createSiteMailer } from "./site-mail.server.ts";

/** Objects that live as long as the isolate, built once and passed to the code that needs them. */
export type Services = {
  config: Config;
  db: Db;
  keys: Keys;
  mailer: Mailer;
  gateway: Gateway;
  accountCodes: AccountCodes;
  /** Bucket for uploaded pictures; undefined without a binding. */
  avatars: R2Bucket | undefined;
  /** Reads the stylesheet of the sign-in pages; undefined when it cannot be read. */
  /** True when the rules of who may come in accept the domain of a user's new e-mail. */
  acceptsEmail: (email: string) => Promise<boolean>;
  /** Returns those of some e-mails whose domain the same rules refuse. */
  findRefusedEmails: (emails: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Returns those of some e-mails whose mailbox is banned by an erased account. */
  findBannedEmails: (emails: readonly string[], now: Date) => Promise<ReadonlySet<string>>;
  emailChange: EmailChange;
  accountDeletion: AccountDeletion;
  erasure: Erasure;
  publicSettings: PublicSettingsReader;
  /** The rule that refuses a sign-in code to an e-mail. Only managers are told. */
  refusalRuleOf: RefusalRule;
  endAccess: UserServices["endAccess"];
  /** What the features add to the work of the core. */
  features: FoldedServer;
  ring: Host["ring"];
  samples: Host["samples"];
};

/** Builds all services: the only place that knows how the parts fit together. */
export function createServices(config: Config, env: Env): Services {
  requireBuilt(config, SERVER_FEATURES);
  const { DB: d1, AVATARS: avatars } = env;
  const db = connectDb(d1);
  const { adminEmails, baseUrl, codeMailsPerHour } = config;
  const { keys, publicSettings, mailer } = createSiteMailer(config, db, env);
  const productName = async (language: Language, now: Date) =>
    (await publicSettings.current(now)).brand.names[language];
  const { oidc, ...social } = { oidc: undefined, ...config.social };
  // All visitors of a demonstration share its few accounts, so one budget would lock all of them out.
  const limits = {
    hasLimits: !config.isDemo,
    codeMailsPerHour,
    admissionOf: (email: string, now: Date, link?: string) => admissionOf(config, email, now, link),
    entryLinkOf: (page: string | undefined) => linkIdOf(keys, page),
    refusalRuleOf: (email: string, now: Date) => refusalRuleOf(config, email, now),
  };
  const authOptions = {
    db,
    keys,
    ...limits,
    secrets: config,
    baseUrl,
    isSecure: config.isSecure,
    adminEmails,
    mailer,
  };
  const { turnstile } = config;
  const { authPlugins } = SERVER_FEATURES;
  const accountCodes = createAccountCodes({ db, keys, mailer, codeMailsPerHour });
  const acceptsEmail = (email: string) => isEmailAccepted(db, config, email);
  const emailChange = createEmailChange({ db, accountCodes, mailer, acceptsEmail });
  const accountDeletion = createAccountDeletion({ db, accountCodes, mailer, baseUrl });
  const endAccess: UserServices["endAccess"] = (userId, when) =>
    SERVER_FEATURES.endAccess.flatMap((end) => end(db, userId, when));
  const erasure = createErasure({
    db,
    mailer,
    plan: config.plan,
    mailboxesOf: (email) => allMailboxesOf(keys, email),
    keepBans: (leaving, now) => keepBans(db, leaving, now),
    forgetMailboxes: (leaving, now) => forgetMailboxes(db, leaving, now),
  });
  const gateway = createGateway({
    db,
    keys,
    ...limits,
    baseUrl,
    isSecure: config.isSecure,
    mailer,
    providers: listProviders(config.social),
    adminEmails,
    secrets: config,
    auth: createAuth({ ...authOptions, social }),
    captchaAuth: turnstile && (() => createAuth({ ...authOptions, social, turnstile })),
    loadPasskeyAuth: () => createPasskeyAuth({ ...authOptions, social, productName }),
    loadPluginAuth:
      authPlugins &&
      (async () =>
        createAuth({ ...authOptions, social: {}, ...(await authPlugins({ config, db, keys })) })),
    oidcAuth: oidc && (() => createAuth({ ...authOptions, social: { oidc } })),
    revokeSessions: (actor, which) => revokeUserSessions(db, actor, which),
    accountDeletion,
    accountCodes,
    onboard: (source, own) => onboardUser(db, source, own),
    clientCalls: SERVER_FEATURES.clientCalls?.({
      config,
      db,
      keys,
      mailer,
      avatars,
      emailChange,
      acceptsEmail,
      prepareErasure: erasure.prepare,
      endAccess,
      organizationEndpoints: SERVER_FEATURES.organizationEndpoints,
      organizationParts: SERVER_FEATURES.organizationParts,
    }),
  });
  const own = { accountCodes, acceptsEmail, emailChange, accountDeletion, erasure, endAccess };
  return {
    config,
    db,
    keys,
    mailer,
    gateway,
    avatars,
    ...own,
    findRefusedEmails: (emails) => findRefusedEmails(db, emails),
    findBannedEmails: (emails, now) => findBannedEmails({ db, keys }, emails, now),
    publicSettings,
    refusalRuleOf: limits.refusalRuleOf,
    features: SERVER_FEATURES,
    ring: ringOf(env),
    samples: SERVER_FEATURES.samples,
  };
}
