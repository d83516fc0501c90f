// Signs a person in from a command line, without a browser of its own, and calls the API for them.
// Source: RFC 8628.
//   node sign-in.mjs https://app.example.com CLIENT_ID
import { setTimeout as wait } from "node:timers/promises";

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

const [issuer, clientId] = process.argv.slice(2);
if (!issuer || !clientId) {
  console.error("Usage: node sign-in.mjs ISSUER CLIENT_ID");
  process.exit(2);
}

const metadata = await askJson(new URL("/.well-known/openid-configuration", issuer));
const asked = await post(metadata.device_authorization_endpoint, {
  scope: "openid profile email",
});
if (asked.error) fail(asked);

console.log(`Open ${asked.verification_uri} and enter the code ${asked.user_code}`);
console.log(`Or open ${asked.verification_uri_complete}`);

const tokens = await poll(asked.device_code, asked.interval ?? 5);
const me = await askJson(new URL("/api/v1/me", issuer), {
  headers: { Authorization: `Bearer ${tokens.access_token}` },
});
console.log(`Signed in as ${me.name} <${me.email}>`);

/** Asks until the person has answered, or the code has expired. */
async function poll(deviceCode, interval) {
  await wait(interval * 1_000);
  const answer = await post(metadata.token_endpoint, {
    grant_type: DEVICE_GRANT,
    device_code: deviceCode,
  });
  switch (answer.error) {
    case undefined:
      return answer;
    case "authorization_pending":
    case "temporarily_unavailable":
      return poll(deviceCode, interval);
    case "slow_down":
      return poll(deviceCode, interval + 5);
    default:
      return fail(answer);
  }
}

function post(url, fields) {
  const body = new URLSearchParams({ client_id: clientId, ...fields });
  return askJson(url, { method: "POST", body });
}

async function askJson(url, init) {
  const answer = await fetch(url, init);
  return answer.json();
}

function fail({ error, error_description: description }) {
  console.error(`${error}: ${description}`);
  process.exit(1);
}
