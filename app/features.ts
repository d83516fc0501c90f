import type { FeatureFacts, FeatureRoute } from "./feature.ts";
import { apiKeys } from "./features/api-keys/feature.ts";
import { apiKeyRoutes } from "./features/api-keys/routes.ts";
import { charts } from "./features/charts/feature.ts";
import { clientCalls } from "./features/client-calls/feature.ts";
import { connectedApps } from "./features/connected-apps/feature.ts";
import { connectedAppRoutes } from "./features/connected-apps/routes.ts";
import { demo } from "./features/demo/feature.ts";
import { userImport } from "./features/import/feature.ts";
import { importRoutes } from "./features/import/routes.ts";
import { mcp } from "./features/mcp/feature.ts";
import { mcpRoutes } from "./features/mcp/routes.ts";
import { notes } from "./features/notes/feature.ts";
import { noteRoutes } from "./features/notes/routes.ts";
import { programNews } from "./features/program-news/feature.ts";
import { repositories } from "./features/repositories/feature.ts";
import { repositoryRoutes } from "./features/repositories/routes.ts";
import { search } from "./features/search/feature.ts";
import { serviceBinding } from "./features/service-binding/feature.ts";
import { sharing } from "./features/sharing/feature.ts";
import { sharingRoutes } from "./features/sharing/routes.ts";
import { styleGuide } from "./features/style-guide/feature.ts";
import { styleGuideRoutes } from "./features/style-guide/routes.ts";
import { teams } from "./features/teams/feature.ts";
import { teamRoutes } from "./features/teams/routes.ts";
import { waitingList } from "./features/waiting-list/feature.ts";
import { waitingListRoutes } from "./features/waiting-list/routes.ts";
import { webhooks } from "./features/webhooks/feature.ts";
import { webhookRoutes } from "./features/webhooks/routes.ts";

/** The features that can be taken out: `npm run remove -- NAME`. */
export const FEATURES = [
  apiKeys,
  charts,
  clientCalls,
  connectedApps,
  demo,
  userImport,
  mcp,
  notes,
  programNews,
  sharing,
  repositories,
  search,
  serviceBinding,
  styleGuide,
  teams,
  waitingList,
  webhooks,
] as const satisfies readonly FeatureFacts[];

/** Their URLs, by the name of their folder. Only `routes.ts` reads them, so they are not in the browser. */
export const FEATURE_ROUTES = {
  sharing: sharingRoutes,
  teams: teamRoutes,
  "api-keys": apiKeyRoutes,
  "connected-apps": connectedAppRoutes,
  import: importRoutes,
  mcp: mcpRoutes,
  notes: noteRoutes,
  repositories: repositoryRoutes,
  "style-guide": styleGuideRoutes,
  "waiting-list": waitingListRoutes,
  webhooks: webhookRoutes,
} as const satisfies { readonly [Name in Feature["name"]]?: readonly FeatureRoute[] };

type Feature = (typeof FEATURES)[number];

/** What the features that have a member of the facts say in it. */
export type FactsOf<Member extends keyof FeatureFacts> = Feature extends infer One
  ? One extends { readonly [Key in Member]: infer Facts }
    ? Facts
    : never
  : never;

/** The keys of a member in all features. */
export type KeysOf<Member extends keyof FeatureFacts> =
  FactsOf<Member> extends infer Facts
    ? Facts extends unknown
      ? keyof Facts & string
      : never
    : never;

/** A table of all features in one. */
export type Joined<Member extends keyof FeatureFacts> = {
  readonly [Key in KeysOf<Member>]: FactsOf<Member> extends infer Facts
    ? Facts extends { readonly [One in Key]: infer Row }
      ? Row
      : never
    : never;
};

type TableMember =
  | "permissions"
  | "organizationPermissions"
  | "harmless"
  | "things"
  | "figures"
  | "toDo"
  | "setUp"
  | "audit"
  | "mails"
  | "news"
  | "attention"
  | "places"
  | "panels";

/** Joins the tables of all features. The same key in two features fails the type check. */
export function joined<Member extends TableMember>(member: Member): Joined<Member> {
  const features: readonly FeatureFacts[] = FEATURES;
  return Object.assign({}, ...features.map((facts) => facts[member]));
}
