import type { Db } from "../db/db.server.ts";
import type { Config } from "../features/environment/config.ts";
import { createMailer, createOutbox } from "../features/mail/outbox.server.ts";
import { mailBrand } from "../features/site-settings/brand/shown-brand.ts";
import { createPublicSettings } from "../features/site-settings/public-settings.server.ts";
import { SERVER_FEATURES } from "../features.server.ts";
import { createKeys } from "../runtime/keys.server.ts";

/** Name of the only sender of mails. */
const THE_SENDER = "site";

/** Returns the site's keys and settings, and its outbox, whose mails have the operator's brand. */
export function createSiteOutbox(config: Config, db: Db) {
  const { adminEmails, baseUrl, secret, previousSecrets } = config;
  const { webhookSecret: _, ...mail } = config.mail;
  const keys = createKeys(secret, previousSecrets);
  const publicSettings = createPublicSettings(db, config, SERVER_FEATURES.loginOffers);
  const readBrand = async (now: Date) =>
    mailBrand((await publicSettings.current(now)).brand, baseUrl);
  const writers = SERVER_FEATURES.mails;
  const outbox = createOutbox({ db, keys, adminEmails, baseUrl, readBrand, writers, ...mail });
  return { keys, publicSettings, outbox };
}

/** The same, with the mailer that writes mails and wakes their sender. */
export function createSiteMailer(
  config: Config,
  db: Db,
  { MAIL_SENDER }: Pick<Env, "MAIL_SENDER">,
) {
  const { keys, publicSettings, outbox } = createSiteOutbox(config, db);
  const mailer = createMailer(outbox, {
    wakeSender: () => MAIL_SENDER.getByName(THE_SENDER).wake(),
    webhookSecret: config.mail.webhookSecret,
  });
  return { keys, publicSettings, mailer };
}
