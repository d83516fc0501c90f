import { foldServer } from "./feature.server.ts";
import { apiKeysServer } from "./features/api-keys/feature.server.ts";
import { chartsServer } from "./features/charts/feature.server.ts";
import { clientCallsServer } from "./features/client-calls/feature.server.ts";
import { connectedAppsServer } from "./features/connected-apps/feature.server.ts";
import { demoServer } from "./features/demo/feature.server.ts";
import { importServer } from "./features/import/feature.server.ts";
import { mcpServer } from "./features/mcp/feature.server.ts";
import { notesServer } from "./features/notes/feature.server.ts";
import { programNewsServer } from "./features/program-news/feature.server.ts";
import { repositoriesServer } from "./features/repositories/feature.server.ts";
import { sharingServer } from "./features/sharing/feature.server.ts";
import { teamsServer } from "./features/teams/feature.server.ts";
import { waitingListServer } from "./features/waiting-list/feature.server.ts";
import { webhooksServer } from "./features/webhooks/feature.server.ts";

/** What the features do on the server. Only the worker imports it and hands it down. */
export const SERVER_FEATURES = foldServer([
  apiKeysServer,
  chartsServer,
  clientCallsServer,
  connectedAppsServer,
  demoServer,
  importServer,
  mcpServer,
  notesServer,
  programNewsServer,
  repositoriesServer,
  sharingServer,
  teamsServer,
  waitingListServer,
  webhooksServer,
]);
