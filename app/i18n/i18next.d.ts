import "i18next";
import type account from "../../locales/en/account.json";
import type api from "../../locales/en/api.json";
import type apiKeys from "../../locales/en/api-keys.json";
import type app from "../../locales/en/app.json";
import type codes from "../../locales/en/codes.json";
import type common from "../../locales/en/common.json";
import type dev from "../../locales/en/dev.json";
import type events from "../../locales/en/events.json";
import type imports from "../../locales/en/import.json";
import type login from "../../locales/en/login.json";
import type logs from "../../locales/en/logs.json";
import type mail from "../../locales/en/mail.json";
import type manager from "../../locales/en/manager.json";
import type managerOrganizations from "../../locales/en/manager-organizations.json";
import type onboarding from "../../locales/en/onboarding.json";
import type organizations from "../../locales/en/organizations.json";
import type pictures from "../../locales/en/pictures.json";
import type repositories from "../../locales/en/repositories.json";
import type search from "../../locales/en/search.json";
import type settings from "../../locales/en/settings.json";
import type system from "../../locales/en/system.json";
import type users from "../../locales/en/users.json";
import type validation from "../../locales/en/validation.json";
import type webhooks from "../../locales/en/webhooks.json";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: {
      account: typeof account;
      api: typeof api;
      "api-keys": typeof apiKeys;
      app: typeof app;
      codes: typeof codes;
      common: typeof common;
      dev: typeof dev;
      events: typeof events;
      import: typeof imports;
      login: typeof login;
      logs: typeof logs;
      mail: typeof mail;
      manager: typeof manager;
      "manager-organizations": typeof managerOrganizations;
      onboarding: typeof onboarding;
      organizations: typeof organizations;
      pictures: typeof pictures;
      repositories: typeof repositories;
      search: typeof search;
      settings: typeof settings;
      system: typeof system;
      users: typeof users;
      validation: typeof validation;
      webhooks: typeof webhooks;
    };
  }
}
