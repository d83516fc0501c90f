import { and, eq, sql } from "drizzle-orm";
import { href } from "react-router";
import { ownRows } from "../../db/own-rows.server.ts";
import { readOf } from "../../db/read.server.ts";
import type { ServerFacts } from "../../feature.server.ts";
import { isolate } from "../../ui/text/isolate.ts";
import { ME_API } from "./api.ts";
import { pruneApiKeys, selectApiKeysBy } from "./api-keys.server.ts";
import { pruneCalls, recordCall } from "./call-log.server.ts";
import type { apiKeys } from "./feature.ts";
import { onceFor, pruneAnswers } from "./idempotency.server.ts";
import { findKeyHolder, refusalOf } from "./key-holder.server.ts";
import { apiCall, apiKey } from "./tables.server.ts";

const REQUEST = {
  device: { browser: "Firefox", system: "macOS" },
  place: "Nairobi, KE",
  at: "2026-05-04T09:26:00Z",
};
const LINK = "https://gatehouse.example/app/account";

export const apiKeysServer = {
  api: ME_API,
  programs: { findHolder: findKeyHolder, refusalOf, record: recordCall, once: onceFor },
  hour: [
    { name: "prune API keys", run: ({ db }, now) => pruneApiKeys(db, now) },
    { name: "prune calls of API keys", run: ({ db }, now) => pruneCalls(db, now) },
    { name: "prune idempotent answers", run: ({ db }, now) => pruneAnswers(db, now) },
  ],
  endAccess: (db, userId, when) => [db.delete(apiKey).where(and(eq(apiKey.userId, userId), when))],
  ownData: {
    apiKeys: ({ id }) =>
      ownRows(apiKey, {
        where: eq(apiKey.userId, id),
        columns: [
          "name",
          "start",
          "permissions",
          "organizationId",
          "createdAt",
          "expiresAt",
          "lastRequest",
          "revokedAt",
        ],
        show: ({ permissions, lastRequest, ...one }) => ({
          ...one,
          permissions: Object.entries(permissions)
            .map(([resource, actions]) => `${resource}: ${actions.join(", ")}`)
            .join("; "),
          lastUsedAt: lastRequest,
        }),
      }),
    apiCalls: ({ id }) =>
      ownRows(apiCall, {
        where: sql`${apiCall.apiKeyId} IN (SELECT ${apiKey.id} FROM ${apiKey} WHERE ${apiKey.userId} = ${id})`,
        columns: ["at", "method", "path", "status", "requestId"],
      }),
  },
  openPages: [
    {
      path: href("/api/docs"),
      title: "API",
      about: "keys, a first call, and each call with an example",
    },
    {
      path: href("/api/docs.md"),
      title: "API, the document",
      about: "the two ways in which a program uses the site, as Markdown",
    },
    {
      path: href("/api/openapi.json"),
      title: "OpenAPI",
      about: "the description of all calls for tools, OpenAPI 3.1",
    },
  ],
  setUp: { "api-key": sql`EXISTS (SELECT 1 FROM ${apiKey})` },
  panels: {
    "key-step": (_id, reader) =>
      readOf(
        (db) =>
          db.select({ id: apiKey.id }).from(apiKey).where(eq(apiKey.userId, reader.id)).limit(1),
        (keys) => keys.length > 0,
      ),
    "keys-of-user": (id) =>
      readOf(
        (db) => selectApiKeysBy(db, id),
        (rows) => rows,
      ),
  },
  mails: {
    "api-key-created": {
      write: (message, { t, occasionOf }) => {
        const { name, organization } = message;
        const created =
          organization === null
            ? t("apiKeyCreated.own", { name: isolate(name) })
            : t("apiKeyCreated.organization", {
                name: isolate(name),
                organization: isolate(organization),
              });
        return {
          subject: t("apiKeyCreated.subject"),
          preview: created,
          title: t("apiKeyCreated.title"),
          paragraphs: [created, occasionOf(message), t("apiKeyCreated.text")],
          link: { label: t("apiKeyCreated.open"), to: message.link },
        };
      },
      samples: [
        { ...REQUEST, name: "Deploy script", organization: null, link: LINK },
        { ...REQUEST, name: "Deploy script", organization: "Nyumbani Cooperative", link: LINK },
      ],
    },
  },
} satisfies ServerFacts<typeof apiKeys>;
