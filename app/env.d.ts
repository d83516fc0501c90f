/** Bindings of `wrangler.toml`. Settings arrive as strings, and only `features/environment/config.ts` reads them. */
type Env = {
  DB: D1Database;
  /** The one sender of mails. */
  MAIL_SENDER: DurableObjectNamespace<import("./worker/mail-sender.server.ts").MailSender>;
  /** The alarms of the features, one object for each alarm and id. */
  FEATURE_ALARM: DurableObjectNamespace<import("./worker/feature-alarm.server.ts").FeatureAlarm>;
  /** Bucket for uploaded pictures. Without it uploads are not possible. */
  AVATARS?: R2Bucket;
} & Record<string, unknown>;

/**
 * This build: its version, commit and time. Set by `vite.config.ts`.
 */
declare const __BUILD__: {
  version: string;
  commit: string;
  time: string;
};

declare module "virtual:react-router/server-build" {
  import type { ServerBuild } from "react-router";

  const build: ServerBuild;
  export = build;
}
