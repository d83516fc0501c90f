// Runs in front of the product for `npm start -- --weather NAME`. Not bundled: workerd loads this file as it is.
import * as product from "./index.js";
import { wrapWorker } from "./weather.js";

const wrapped = wrapWorker(product);

// Entrypoints for other workers have fair weather.
export * from "./index.js";
export default wrapped.worker;
export const { MailSender, FeatureAlarm } = wrapped;
