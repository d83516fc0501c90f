// Every npm script starts here, on whatever Node the machine has: it brings node_modules in step with the lock file,
// then runs the script on the Node of node_modules, which reads TypeScript. Plain CommonJS, so that an old Node
// gets as far as the message about its age.
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
run(process.argv.slice(2));

/** Whether node_modules holds exactly what the lock file lists, read from the copy npm keeps of it there. */
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
  // npm must not run on the Node it is about to replace.
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
      // Local work stays local: no usage report, no look-up of where this machine is, and no word of what goes well.
      WRANGLER_SEND_METRICS: "false",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      WRANGLER_LOG: process.env.WRANGLER_LOG || "warn",
    },
  });
  // The script decides how it ends; this process only waits for it, so that npm reports what really happened.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("exit", (code, signal) => process.exit(signal ? 1 : code));
}

function pathWithout(folder) {
  const folders = (process.env.PATH || "").split(delimiter);
  return folders.filter((entry) => entry !== folder).join(delimiter);
}
