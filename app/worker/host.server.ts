import type { Db } from "../db/db.server.ts";
import type { Host } from "../feature.server.ts";
import type { Config } from "../features/environment/config.ts";
import { SERVER_FEATURES } from "../features.server.ts";
import { createSiteMailer } from "./site-mail.server.ts";

/** Returns what the core lends to the features' work. */
export function createHost(config: Config, db: Db, env: Env): Host {
  const { keys, mailer } = createSiteMailer(config, db, env);
  return { config, db, keys, mailer, ring: ringOf(env), samples: SERVER_FEATURES.samples };
}

/** Returns the function that makes an alarm ring now. */
export function ringOf({ FEATURE_ALARM }: Env): Host["ring"] {
  return (alarm, id) => FEATURE_ALARM.getByName(`${alarm}:${id}`).ring(alarm, id);
}
