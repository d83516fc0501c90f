import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, moment } from "./columns.ts";

/** One row: what managers have set. Null means the default from the environment. */
export const siteSetting = sqliteTable("site_setting", {
  id: integer("id").primaryKey(),
  signUpMode: text("sign_up_mode", { enum: ["open", "invitation", "closed"] }),
  /** In the mode "invitation": invitations to organizations open an account too, not only admins. */
  organizationsAdmit: flag("organizations_admit").notNull().default(false),
  termsUrl: text("terms_url"),
  privacyUrl: text("privacy_url"),
  termsVersion: text("terms_version"),
  /** Since when managers need a passkey; null when they do not. */
  managerPasskeysSince: moment("manager_passkeys_since"),
  version: integer("version").notNull().default(1),
  updatedAt: moment("updated_at"),
});

/** One row: what the set-up list of the dashboard cannot read elsewhere. */
export const setUp = sqliteTable("set_up", {
  id: integer("id").primaryKey(),
  /** When a manager hid the list. */
  hiddenAt: moment("hidden_at"),
  /** When `npm run backup` last made a whole backup. */
  backupAt: moment("backup_at"),
});

/** E-mail domain in ASCII lower case. A blocked one stands for its subdomains too. */
export const accessDomain = sqliteTable("access_domain", {
  domain: text("domain").primaryKey(),
  rule: text("rule", { enum: ["allowed", "blocked"] }).notNull(),
});

/** An e-mail that was let in: it may get an account like an invited one. A trigger deletes the row when it has one. */
export const admittedEmail = sqliteTable("admitted_email", {
  email: text("email").primaryKey(),
});

/** One row: the product's name and look as managers have set them. Null means the default from the environment. */
export const brand = sqliteTable("brand", {
  id: integer("id").primaryKey(),
  name: text("name"),
  /** By the tag of their language, where they differ from `name`. */
  names: text("names", { mode: "json" }).$type<{ [language: string]: string }>().notNull(),
  /** Name of a Radix scale. */
  accent: text("accent"),
  /** Names of pictures in the bucket. */
  logoLight: text("logo_light"),
  logoDark: text("logo_dark"),
  loginPicture: text("login_picture"),
  /** Names of pictures by the kind of icon. `of` names the logo or the accent that they show. */
  icons: text("icons", { mode: "json" }).$type<{ [kind: string]: string }>(),
  helpUrl: text("help_url"),
  supportUrl: text("support_url"),
  senderName: text("sender_name"),
  mailFooter: text("mail_footer"),
  version: integer("version").notNull().default(1),
  updatedAt: moment("updated_at"),
});
