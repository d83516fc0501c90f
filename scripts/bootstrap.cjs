// Every npm script starts here, on any version of Node: it brings node_modules up to date with the lock file, then runs
// the given script on the Node of node_modules, which runs TypeScript. Without a script it only installs. Plain CommonJS,
// so that an old Node can print the message about its version.
if (Number.parseInt(process.versions.node, 10) < 20) {
  console.error(
    `Gatehouse needs Node 20 or newer; this is ${process.version}. Get a newer one from https://nodejs.org.`,
  );
  process.exit(1);
}

const { spawn, spawnSync } = require("node:child_process");
const { existsSync, readFileSync } = require("node:fs");
const { delimiter, join, resolve } = require("node:path");

const root = resolve(__dirname, "..");
const bin = join(root, "node_modules", ".bin");
const node = join(root, "node_modules", "node", "bin", "node");

process.chdir(root);
if (!isInStep()) install();
if (process.argv.length > 2) run(process.argv.slice(2));

/** True when node_modules holds exactly the packages of the lock file, by the copy of it that npm keeps there. */
function isInStep() {
  const wanted = packagesOf("package-lock.json");
  const installed = packagesOf(join("node_modules", ".package-lock.json"));
  return (
    existsSync(node) &&
    Object.keys(wanted).every((path) => {
      // The project itself has no copy, and packages for other platforms are left out.
      if (path === "" || (wanted[path].optional && !installed[path])) return true;
      return installed[path] && installed[path].integrity === wanted[path].integrity;
    })
  );
}

function packagesOf(lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, "utf8")).packages : {};
}

function install() {
  console.log("Installing dependencies…");
  // npm must not run on the Node that it will replace.
  const path = pathWithout(bin);
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    stdio: "inherit",
    env: { ...process.env, PATH: path },
  });
  if (npm.status !== 0) process.exit(npm.status || 1);
  if (!existsSync(node)) {
    console.error("npm installed no Node 24. Allow install scripts, then run: npm rebuild node");
    process.exit(1);
  }
}

function run(args) {
  const child = spawn(node, args, {
    stdio: "inherit",
    env: {
      ...process.env,
      PATH: bin + delimiter + pathWithout(bin),
      // No usage reports, no location lookup of this machine, and no messages about success.
      WRANGLER_SEND_METRICS: "false",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      WRANGLER_LOG: process.env.WRANGLER_LOG || "warn",
    },
  });
  // The script handles the signal. This process only waits for it, so that npm reports the script's exit code.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  // npm passes a signal on to its shell alone, which ends and leaves this process behind.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 500).unref();
  child.on("exit", (code, signal) => process.exit(signal ? 1 : code));
}

function pathWithout(folder) {
  const folders = (process.env.PATH || "").split(delimiter);
  return folders.filter((entry) => entry !== folder).join(delimiter);
}
