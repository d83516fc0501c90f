/** What `wrangler.toml` binds. Settings arrive as strings and are read by `features/environment/config.ts` alone. */
type Env = {
  DB: D1Database;
  /** Where pictures of people are kept. Without it nobody can upload one. */
  AVATARS?: R2Bucket;
  /** The built files. Without them a first page fetches its styles like any other. */
  ASSETS?: Fetcher;
} & Record<string, unknown>;

/** When this build was made and from which commit; set by `vite.config.ts`. */
declare const __BUILD__: { version: string; commit: string; time: string };

declare module "virtual:react-router/server-build" {
  import type { ServerBuild } from "react-router";

  const build: ServerBuild;
  export = build;
}
