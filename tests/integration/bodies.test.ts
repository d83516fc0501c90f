import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { type Browser, newBrowser, sendRefused } from "../support/client.ts";
import { featureUrls, withIds } from "../support/feature-tests.ts";
import { inTurn } from "../support/matrix.ts";
import { anAdmin, aSignedInUser } from "../support/people.ts";
import { listUrls } from "../support/routes.ts";
import { startGatehouse } from "../support/worker.ts";

const MEGABYTE = 1_048_576;
/** More than one chunk for each of six bodies, and much less than one body. */
const MAX_GROWTH_KB = 60 * 1_024;
const FORM = "application/x-www-form-urlencoded";

// Any error in the log fails these tests when the worker is disposed of.
const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user, browser: manager } = await anAdmin(gatehouse);
const { browser: person } = await aSignedInUser(gatehouse);

/** Returns the process id of the workerd that serves `gatehouse`: its command line names the port. */
function findWorkerd(): string {
  const pids = readdirSync("/proc").filter((name) => {
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
      return (
        /\bworkerd$/.test(words[0] ?? "") &&
        words.some((word) => word.endsWith(`:${gatehouse.url.port}`))
      );
    } catch {
      // Not a process, or one that has ended.
      return false;
    }
  });
  expect(pids).toHaveLength(1);
  return pids[0] ?? "";
}

/** Returns one value of a process's memory, in kilobytes. */
function memoryOf(pid: string, figure: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${figure}:\\s+(\\d+) kB`, "m").exec(status)?.[1]);
}

/**
 * Sends up to 100 MB in chunks, without a length, until the connection is closed. Returns the
 * status and the MB sent.
 */
function sendEndlessly(path: string, type: string, cookies: Browser["cookies"]) {
  return new Promise<{ status: number | undefined; megabytes: number }>((resolve, reject) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const { origin, url } = gatehouse;
    const headers = { "content-type": type, "transfer-encoding": "chunked", origin, cookie };
    const sent = request({ host: "localhost", port: url.port, path, method: "POST", headers });
    const chunk = Buffer.alloc(MEGABYTE, "a");
    let chunks = 0;
    let status: number | undefined;
    function send() {
      while (chunks < 100 && !sent.destroyed) {
        chunks += 1;
        if (!sent.write(chunk)) return;
      }
      sent.end();
    }
    sent.on("drain", send);
    sent.on("response", (response) => {
      status = response.statusCode;
      response.resume();
    });
    // When the server closes the connection, the pending write fails.
    sent.on("error", (error) => status === undefined && reject(error));
    sent.on("close", () => resolve({ status, megabytes: chunks }));
    send();
  });
}

const anonymous = newBrowser(gatehouse);
test.each([
  ["/login", FORM, anonymous],
  ["/preferences", FORM, anonymous],
  ["/api/auth/email-otp/send-verification-otp", "application/json", anonymous],
  ["/_server/record-search", "application/json", anonymous],
  ["/app/account", FORM, person],
  ["/app/account/picture", "multipart/form-data; boundary=x", person],
])(
  "six bodies of 100 MB at once at %s are refused without being stored",
  async (path, type, browser) => {
    const pid = findWorkerd();
    await person.get("/app/account");
    // Resets the peak to the current memory (proc(5), clear_refs).
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    const before = memoryOf(pid, "VmRSS");

    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        sendRefused(() => sendEndlessly(path, type, browser.cookies)),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(413));
    // The rest of a body that is too large is not read.
    for (const { megabytes } of answers) expect(megabytes).toBeLessThan(50);
    expect(memoryOf(pid, "VmHWM") - before).toBeLessThan(MAX_GROWTH_KB);
  },
);

test.each([
  ["an answer", newBrowser(gatehouse), "/login"],
  ["data", newBrowser(gatehouse), "/login.data"],
  ["a list", manager, "/manager/users"],
  ["an upload", person, "/app/account/picture"],
])(
  "130,000 fields are refused while other requests are answered: %s",
  // Without a limit, parsing took a minute and a half.
  { timeout: 60_000 },
  async (_name, browser, path) => {
    const refused = browser.request(path, {
      method: "POST",
      body: "a&".repeat(path.endsWith("picture") ? 50_000 : 130_000),
      headers: { "content-type": FORM },
    });
    const health = await newBrowser(gatehouse).get("/health");

    expect(health.status).toBe(200);
    expect((await refused).status).toBe(413);
  },
);

test.each([
  ["urlencoded", 301, 413],
  ["urlencoded", 300, 400],
  ["multipart", 301, 413],
  ["multipart", 300, 400],
] as const)("a form that is %s with %i fields is answered with %i", async (kind, count, status) => {
  const fields = Array.from({ length: count }, (_, at): [string, string] => [`f${at}`, "1"]);
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const body = kind === "multipart" ? form : new URLSearchParams(fields);

  const response = await newBrowser(gatehouse).request("/login", { method: "POST", body });

  expect(response.status).toBe(status);
});

/** Control fields of form libraries, and names of Object.prototype. */
const CONTROL_FIELDS: [string, string][] = [
  ["__intent__", "x"],
  ["__intent__", "null"],
  ["__intent__", '{"type":"insert","payload":{"name":"email"}}'],
  ["__state__", "x"],
  ["__proto__", "x"],
  ["__proto__.polluted", "x"],
  ["constructor", "x"],
  ["toString", "x"],
  ["id[4294967290]", "x"],
];

const ids = await featureUrls(gatehouse);
const urls = listUrls()
  .map(({ pattern }) => withIds(pattern, ids).replace(":id", user.id))
  // Signing out ends the sessions that the other tests use.
  .filter((url) => url !== "/sign-out");

test.each(urls.map((url, position) => [url, position] as const))(
  "a form's control fields cause no error at %s",
  async (url, position) => {
    const visitors = [newBrowser(gatehouse), person, manager];
    // Each URL gets a third of the fields in the gate: a form is read in one place, whatever its URL.
    const thirds = [0, 1, 2].map((third) => CONTROL_FIELDS.filter((_, at) => at % 3 === third));
    for (const [name, value] of inTurn(thirds, position).flat()) {
      const file = new FormData();
      file.set(name, new File([value], "field.txt"));
      for (const body of [new URLSearchParams([[name, value]]), file]) {
        const answers = await Promise.all(
          visitors.map((browser) =>
            sendRefused(() => browser.request(url, { method: "POST", body })),
          ),
        );
        for (const { status } of answers) expect(status).toBeLessThan(500);
      }
    }
  },
);
