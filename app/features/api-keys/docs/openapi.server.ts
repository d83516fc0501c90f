import { z } from "zod";
import type { ApiEndpoint, ApiError } from "../../access/api-endpoint.ts";
import { ApiProblem } from "../../access/api-problem.ts";
import type { AppCallers } from "../../access/program.server.ts";
import { scopeOf } from "../../access/scopes.ts";
import { CLIENT_ANSWERS, ClientRefusalBody } from "./client-answers.ts";
import { COMMON_API_ERRORS } from "./common-errors.ts";

/** The endpoints of better-auth's client, by path below `/api/auth`. */
type ClientTable = Record<string, { method: "GET" | "POST"; input?: z.ZodType } | undefined>;

type ApiTables = {
  client: ClientTable;
  /** The product's own calls, by operation id. */
  own: Readonly<Record<string, ApiEndpoint>>;
  /** How apps call them for users, where a feature lets them. */
  apps: AppCallers | undefined;
};

type JsonSchema = Record<string, unknown>;

type Security = Record<string, string[]>[];

type Operation = {
  operationId: string;
  tags: string[];
  summary?: string;
  security: Security;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Answer>;
};

type Parameter = {
  name: string;
  in: string;
  required: boolean;
  schema: JsonSchema;
  description?: string;
};
type Content = Record<string, { schema: JsonSchema }>;
type Answer = {
  description: string;
  content?: Content;
  headers?: Record<string, { schema: JsonSchema }>;
};

export type ApiDocument = {
  openapi: "3.1.0";
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, JsonSchema> };
};

/** Where the keys of the product's own calls may stand. */
const KEY_SECURITY: Security = [{ bearer: [] }, { apiKey: [] }];
const SESSION_SECURITY: Security = [{ session: [] }];

/** Paths of better-auth's client that anonymous visitors call. */
const ANONYMOUS = [
  "/get-session",
  "/ok",
  "/sign-out",
  "/email-otp/send-verification-otp",
  "/sign-in/email-otp",
  "/sign-in/social",
  "/passkey/generate-authenticate-options",
  "/passkey/verify-authentication",
];

/**
 * Describes all calls of programs as OpenAPI 3.1, from the schemas that check their inputs. `title` is the name of the
 * site.
 */
export function openApiDocument(
  tables: ApiTables,
  {
    title,
    version,
    baseUrl,
    cookie,
  }: { title: string; version: string; baseUrl: string; cookie: string },
): ApiDocument {
  const schemas: Record<string, JsonSchema> = {};
  const paths: ApiDocument["paths"] = {};
  const refusal = json(print(schemas, ClientRefusalBody, "output"));
  for (const [path, endpoint] of Object.entries(tables.client)) {
    if (!endpoint) continue;
    const { method } = endpoint;
    paths[`/api/auth${path}`] = {
      [method.toLowerCase()]: clientOperation(schemas, path, endpoint, refusal),
    };
  }
  for (const [operationId, endpoint] of Object.entries(tables.own)) {
    const operation = ownOperation(schemas, operationId, endpoint, tables.apps);
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.0",
    info: { title, version },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: cookie },
        bearer: { type: "http", scheme: "bearer" },
        apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
        ...(tables.apps && {
          app: { type: "openIdConnect", openIdConnectUrl: baseUrl + tables.apps.discovery },
        }),
      },
    },
  };
}

/** Returns the codes of all refusals of the product's own calls. */
export function apiErrorCodes({ own, apps }: Pick<ApiTables, "own" | "apps">) {
  const ofCalls = Object.values(own).flatMap((one) => one.errors);
  const errors = [...COMMON_API_ERRORS, ...(apps?.errors ?? []), ...ofCalls];
  return [...new Set(errors.map(([, code]) => code))].sort();
}

function clientOperation(
  schemas: Record<string, JsonSchema>,
  path: string,
  { method, input }: { method: "GET" | "POST"; input?: z.ZodType },
  refusal: Content,
): Operation {
  const [, group = ""] = path.split("/");
  const sent = input && print(schemas, input, "input");
  const answer = CLIENT_ANSWERS[path];
  return {
    operationId: path.slice(1).replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: [["organization", "admin", "passkey"].includes(group) ? group : "auth"],
    security: ANONYMOUS.includes(path) ? [] : SESSION_SECURITY,
    ...(method === "GET" && sent && { parameters: queryOf(sent) }),
    ...(method === "POST" &&
      hasFields(sent) && { requestBody: { required: requires(sent), content: json(sent) } }),
    responses: {
      "200": {
        description: "Done",
        ...(answer && { content: json(print(schemas, answer, "output")) }),
      },
      "4XX": { description: "Refused", content: refusal },
      "5XX": { description: "Failed", content: refusal },
    },
  };
}

function ownOperation(
  schemas: Record<string, JsonSchema>,
  operationId: string,
  endpoint: ApiEndpoint,
  apps: AppCallers | undefined,
): Operation {
  const { path, summary, query, body, headers = [], requires, answer, errors, problem } = endpoint;
  const refusal = {
    "application/problem+json": { schema: print(schemas, problem ?? ApiProblem, "output") },
  };
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  const text = { type: "string" };
  const [, , , group = ""] = path.split("/");
  return {
    operationId,
    tags: [group],
    summary,
    security: [...KEY_SECURITY, ...(apps ? appSecurity(endpoint) : [])],
    parameters: [
      ...names.map((name) => ({ name, in: "path", required: true, schema: text })),
      ...(query ? queryOf(print(schemas, query, "input")) : []),
      ...headers.map((name) => ({
        name,
        in: "header",
        required: name === requires,
        schema: text,
      })),
    ],
    ...(body && { requestBody: { required: true, content: json(print(schemas, body, "input")) } }),
    responses: {
      [answer.status]: {
        description: "Done",
        ...(answer.body && {
          content: {
            [answer.type ?? JSON_TYPE]: { schema: print(schemas, answer.body, "output") },
          },
        }),
        ...(answer.headers && {
          headers: Object.fromEntries(answer.headers.map((name) => [name, { schema: text }])),
        }),
      },
      ...Object.fromEntries(
        codesByStatus([...COMMON_API_ERRORS, ...(apps?.errors ?? []), ...errors]).map(
          ([status, codes]) => [status, { description: codes.join(", "), content: refusal }],
        ),
      ),
    },
  };
}

/** What an app's token must hold. What is an organization's, no app does. */
function appSecurity({ act, isForAll, isOfOrganization }: ApiEndpoint): Security {
  if (isOfOrganization) return [];
  return [{ app: isForAll ? [] : [scopeOf(act.permission)] }];
}

function codesByStatus(errors: readonly ApiError[]): [status: number, codes: string[]][] {
  const statuses = [...new Set(errors.map(([status]) => status))];
  return statuses.map((status) => [
    status,
    errors.flatMap(([one, code]) => (one === status ? [code] : [])),
  ]);
}

/** Prints a schema; those with an id become components. */
function print(
  schemas: Record<string, JsonSchema>,
  schema: z.ZodType,
  io: "input" | "output",
): JsonSchema {
  // In an object, so that a schema with an id becomes a component too.
  const printed = z.toJSONSchema(z.object({ it: schema }), {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === "undefined") jsonSchema.not = {};
      // The format says it.
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
    },
  });
  const { $defs = {}, properties }: { $defs?: object; properties?: { it?: JsonSchema } } =
    JSON.parse(JSON.stringify(printed).replaceAll("#/$defs/", "#/components/schemas/"));
  Object.assign(schemas, $defs);
  return properties?.it ?? {};
}

const JSON_TYPE = "application/json";

function json(schema: JsonSchema): Content {
  return { [JSON_TYPE]: { schema } };
}

function fieldsOf(schema: JsonSchema | undefined): [name: string, schema: JsonSchema][] {
  return Object.entries(Object(schema?.properties));
}

function requires(schema: JsonSchema): boolean {
  return requiredOf(schema).length > 0;
}

function requiredOf(schema: JsonSchema): string[] {
  return Array.isArray(schema.required) ? schema.required : [];
}

function hasFields(schema: JsonSchema | undefined): schema is JsonSchema {
  return fieldsOf(schema).length > 0;
}

function queryOf(schema: JsonSchema): Parameter[] {
  return fieldsOf(schema).map(([name, { description, ...field }]) => ({
    name,
    in: "query",
    required: requiredOf(schema).includes(name),
    schema: field,
    ...(typeof description === "string" && { description }),
  }));
}
