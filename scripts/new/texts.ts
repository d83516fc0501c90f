import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Subject, titleOf } from "./subject.ts";

export type Texts = { [key: string]: string | Texts };

/** Returns the labels that the audit log has for fields, in `locales` below the root. */
export function knownAuditFields(root: string): Set<string> {
  const files = globSync("locales/en/*.json", { cwd: root });
  return new Set(
    files.flatMap((file) => {
      const texts = JSON.parse(readFileSync(join(root, file), "utf8"));
      const logs = basename(file) === "logs.json" ? texts : texts.core?.logs;
      return Object.keys(logs?.audit?.fields ?? {});
    }),
  );
}

/**
 * Returns a subject's file of texts in another language: its titles, where they were given. The rest
 * stands in English, and `npm run features` names it.
 */
export function translatedTextsOf({ words, scope, titles }: Subject, language: string): Texts {
  const title = titles[language];
  if (!title) return { rest: "en" };
  const [one, many] = title;
  const { camel } = words.many;
  const isOfOrganization = scope === "organization";
  return {
    rest: "en",
    title: many,
    new: one,
    core: {
      common: { [camel]: { all: many } },
      ...(isOfOrganization
        ? { organizations: { nav: { [camel]: many }, [camel]: { new: one } } }
        : { app: { [camel]: many } }),
      ...(scope === "personal" ? {} : { manager: { [camel]: many, dashboard: { [camel]: many } } }),
      settings: { roles: { resources: { [words.one.camel]: many } } },
    },
    features: { api: { group: { [words.many.kebab]: many } } },
  };
}

/** Returns a subject's texts in English. */
export function textsOf(subject: Subject, known: ReadonlySet<string>): Texts {
  const { words, scope, fields, titles } = subject;
  const [one, many] = titles.en ?? [words.one.title, words.many.title];
  const { camel } = words.many;
  const thing = words.one.camel;
  const lower = many.toLowerCase();
  const asNew = `New ${one.toLowerCase()}`;
  const told = scope === "personal" ? fields.slice(0, 1) : fields;
  const labels = Object.fromEntries(
    told
      .filter(({ name }) => !known.has(name))
      .map(({ name }): [string, string] => [name, titleOf(name)]),
  );
  const choices = fields.filter(({ type }) => type === "choice");
  const site = {
    settings: {
      roles: {
        resources: { [thing]: many },
        permissions: {
          [thing]: {
            read: `See ${lower}`,
            ...(scope === "organization"
              ? {}
              : {
                  create: `Add ${lower}`,
                  update: `Change ${lower}`,
                  delete: `Delete and restore ${lower}`,
                }),
            ...(scope === "personal" ? {} : { export: `Export ${lower}` }),
          },
        },
      },
    },
  };
  const scopes = {
    read: `View ${lower}`,
    create: `Create ${lower}`,
    update: `Edit ${lower}`,
    delete: `Delete ${lower}`,
  };
  return {
    title: many,
    new: asNew,
    ...(scope === "organization" ? { organization: "Organization" } : {}),
    fields: Object.fromEntries(fields.map(({ name }) => [name, titleOf(name)])),
    ...(choices.length > 0
      ? {
          choices: Object.fromEntries(
            choices.map((field) => [
              field.name,
              Object.fromEntries(field.choices.map((choice) => [choice, titleOf(choice)])),
            ]),
          ),
        }
      : {}),
    core: {
      common: { [camel]: { all: many } },
      ...(scope === "organization" ? {} : { app: { [camel]: many } }),
      ...(scope === "personal" ? {} : { manager: { [camel]: many, dashboard: { [camel]: many } } }),
      ...(scope === "organization"
        ? {
            organizations: {
              nav: { [camel]: many },
              [camel]: { new: asNew, none: `${many}: 0`, all: `${many}: {{count}}` },
              permissions: { [thing]: scopes },
            },
          }
        : {}),
      events: {
        [words.one.snake]: {
          created: `${one}: created`,
          updated: `${one}: changed`,
          deleted: `${one}: deleted`,
          restored: `${one}: restored`,
        },
      },
      ...(Object.keys(labels).length > 0 ? { logs: { audit: { fields: labels } } } : {}),
      ...site,
      codes: { [`${words.one.constant}_NOT_FOUND`]: `${one}: not found` },
      scopes: { [thing]: scopes },
    },
    features: {
      api: { group: { [words.many.kebab]: many } },
      ...(scope === "organization" ? { "api-keys": { sharedScopes: { [thing]: scopes } } } : {}),
    },
  };
}
