// Runs in front of the product and of the tests' own front, inside workerd: the entrypoint gets the settings and the
// database of the test that runs. Not bundled: workerd loads this file as it is.
import { Identity as Real } from "./index.js";
import { entrypointInTest } from "./shared-worker.js";

export * from "./shared-worker.js";
export { default } from "./shared-worker.js";

export class Identity extends entrypointInTest(Real) {}
