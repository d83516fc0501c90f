// The worker of `npm run dev -- --weather NAME`; vite.config.ts names it in place of app/entry.worker.ts.
import * as product from "../../app/entry.worker.ts";
import { wrapWorker } from "./weather.js";

const wrapped = wrapWorker(product);

// Entrypoints for other workers have fair weather.
export * from "../../app/entry.worker.ts";
export default wrapped.worker;
export const { MailSender, FeatureAlarm } = wrapped;
