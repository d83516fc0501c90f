import "i18next";
import type account from "../../locales/en/account.json";
import type app from "../../locales/en/app.json";
import type codes from "../../locales/en/codes.json";
import type common from "../../locales/en/common.json";
import type dev from "../../locales/en/dev.json";
import type events from "../../locales/en/events.json";
import type login from "../../locales/en/login.json";
import type logs from "../../locales/en/logs.json";
import type mail from "../../locales/en/mail.json";
import type manager from "../../locales/en/manager.json";
import type managerOrganizations from "../../locales/en/manager-organizations.json";
import type onboarding from "../../locales/en/onboarding.json";
import type organizations from "../../locales/en/organizations.json";
import type pictures from "../../locales/en/pictures.json";
import type problems from "../../locales/en/problems.json";
import type records from "../../locales/en/records.json";
import type scopes from "../../locales/en/scopes.json";
import type settings from "../../locales/en/settings.json";
import type system from "../../locales/en/system.json";
import type users from "../../locales/en/users.json";
import type validation from "../../locales/en/validation.json";
import type { TextsOf } from "../feature.ts";
import type { Joined } from "../features.ts";

type CoreTexts = {
  account: typeof account;
  app: typeof app;
  codes: typeof codes;
  common: typeof common;
  dev: typeof dev;
  events: typeof events;
  login: typeof login;
  logs: typeof logs;
  mail: typeof mail;
  manager: typeof manager;
  "manager-organizations": typeof managerOrganizations;
  onboarding: typeof onboarding;
  organizations: typeof organizations;
  pictures: typeof pictures;
  problems: typeof problems;
  records: typeof records;
  scopes: typeof scopes;
  settings: typeof settings;
  system: typeof system;
  users: typeof users;
  validation: typeof validation;
};

type FileTypes = Joined<"texts">;

/** The type of one file of a feature's texts. */
type FileOf<Namespace extends keyof FileTypes> =
  FileTypes[Namespace] extends TextsOf<infer Texts> ? Texts : never;

type Files = CoreTexts & { [Namespace in keyof FileTypes]: FileOf<Namespace> };

/** What files write for the namespaces of others, each as a member of the union. */
type Parts = {
  [File in keyof Files]: Files[File] extends infer Texts
    ?
        | (Texts extends { core: infer Core } ? Core : never)
        | (Texts extends { features: infer Features } ? Features : never)
    : never;
}[keyof Files];

type NamespacesOf<Part> = Part extends unknown ? keyof Part : never;

type Added<Namespace> = Parts extends infer Part
  ? Part extends { [Key in Namespace & string]: infer Texts }
    ? Texts
    : never
  : never;

/** The texts of all members of a union together; none where the union is empty. */
type Together<Union> = (Union extends unknown ? (texts: Union) => void : never) extends (
  texts: infer All,
) => void
  ? All
  : never;

/** As `scripts/join-texts.ts` joins them. */
type Resources = {
  [Namespace in keyof Files | NamespacesOf<Parts>]: (Namespace extends keyof Files
    ? Omit<Files[Namespace], "core" | "features">
    : unknown) &
    Together<Added<Namespace>>;
};

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: Resources;
  }
}
