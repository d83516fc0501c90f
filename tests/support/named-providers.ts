import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomUUID,
  sign,
  verify,
} from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// Stand-ins for the sign-in pages and token endpoints of Microsoft and Apple, which behave as their documentation says.
// Both sign their tokens with a key of their own, which better-auth does not check after a code.

/** What a provider sends a browser to: a URL, or a form that the provider's page posts to one. */
type Return = { url: string; form?: URLSearchParams };

type Grant = { challenge: string | null; redirectUri: string; claims: object };

type Endpoints = {
  host: string;
  authorizePath: string;
  tokenPath: string;
  authorize: (query: URLSearchParams, newCode: (claims: object) => string) => Return;
  /** Throws when the client is not the one that the provider knows. */
  checkClient: (form: URLSearchParams) => void;
};

async function startProvider({ host, authorizePath, tokenPath, ...endpoints }: Endpoints) {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const grants = new Map<string, Grant>();

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    try {
      if (request.method !== "POST" || request.url !== tokenPath) throw new Error("unknown path");
      const answer = exchange(form);
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    } catch (error) {
      const answer = { error: "invalid_request", error_description: String(error) };
      response.writeHead(400, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  function exchange(form: URLSearchParams) {
    endpoints.checkClient(form);
    const code = form.get("code") ?? "";
    const grant = grants.get(code);
    grants.delete(code);
    if (!grant || form.get("grant_type") !== "authorization_code") throw new Error("unknown code");
    if (form.get("redirect_uri") !== grant.redirectUri) throw new Error("another redirect_uri");
    const verifier = createHash("sha256").update(form.get("code_verifier") ?? "");
    if (grant.challenge && verifier.digest("base64url") !== grant.challenge)
      throw new Error("wrong code_verifier");
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iat: now, nbf: now, exp: now + 3_600, aud: form.get("client_id") };
    const head = `${encode({ alg: "RS256", typ: "JWT", kid: "test" })}.${encode({ ...claims, ...grant.claims })}`;
    const signature = sign("sha256", Buffer.from(head), privateKey).toString("base64url");
    return {
      token_type: "Bearer",
      expires_in: 3_600,
      access_token: randomUUID(),
      id_token: `${head}.${signature}`,
    };
  }

  return {
    standIns: { [host]: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    /** Opens the provider's sign-in page, where the visitor signs in at once. */
    visit(url: string): Return {
      const { origin, pathname, searchParams } = new URL(url);
      if (origin !== `https://${host}` || pathname !== authorizePath)
        throw new Error(`${host} has no page at ${url}`);
      return endpoints.authorize(searchParams, (claims) => {
        const code = randomUUID();
        const redirectUri = searchParams.get("redirect_uri") ?? "";
        grants.set(code, { challenge: searchParams.get("code_challenge"), redirectUri, claims });
        return code;
      });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

function decode(part: string | undefined) {
  return JSON.parse(Buffer.from(part ?? "", "base64url").toString());
}

/**
 * Starts a stand-in for the tenant "common". Its ID tokens have no `email_verified`; `xms_edov` is
 * an optional claim that says whether the tenant owns the e-mail's domain.
 */
export async function startMicrosoft() {
  const clientId = randomUUID();
  const clientSecret = randomUUID();
  let visitor: { oid: string; email: string; others: object } = { oid: "", email: "", others: {} };
  const provider = await startProvider({
    host: "login.microsoftonline.com",
    authorizePath: "/common/oauth2/v2.0/authorize",
    tokenPath: "/common/oauth2/v2.0/token",
    authorize(query, newCode) {
      if (query.get("client_id") !== clientId || query.get("response_type") !== "code")
        throw new Error("AADSTS900144");
      const { oid, email, others } = visitor;
      const tid = randomUUID();
      const iss = `https://login.microsoftonline.com/${tid}/v2.0`;
      const code = newCode({ ver: "2.0", iss, tid, oid, sub: oid, email, name: "Ada", ...others });
      const state = query.get("state") ?? "";
      return { url: `${query.get("redirect_uri")}?${new URLSearchParams({ code, state })}` };
    },
    checkClient(form) {
      if (form.get("client_id") !== clientId || form.get("client_secret") !== clientSecret)
        throw new Error("AADSTS7000215: Invalid client secret provided");
    },
  });
  return {
    ...provider,
    vars: { MICROSOFT_CLIENT_ID: clientId, MICROSOFT_CLIENT_SECRET: clientSecret },
    /** Sets who signs in next, with claims that the tenant's admin chooses. */
    setVisitor(oid: string, email: string, others: object = {}) {
      visitor = { oid, email, others };
    },
  };
}

const HALF_A_YEAR_SECONDS = 15_777_000;

/**
 * Starts a stand-in for Apple. It answers a request for name or e-mail by a form only, sends the
 * name only the first time, and takes a client secret that the team's key has signed.
 */
export async function startApple() {
  const clientId = "com.example.gatehouse";
  const [teamId, keyId] = ["TEAM567890", "KEY4567890"];
  const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const publicKey = createPublicKey(createPrivateKey(privateKey));
  let visitor: { email: string; isFirst: boolean } | "refuses" = "refuses";
  const provider = await startProvider({
    host: "appleid.apple.com",
    authorizePath: "/auth/authorize",
    tokenPath: "/auth/token",
    authorize(query, newCode) {
      if (query.get("client_id") !== clientId) throw new Error("invalid_client");
      if (query.get("scope") && query.get("response_mode") !== "form_post")
        throw new Error("response_mode must be form_post when name or email scope is requested");
      const url = query.get("redirect_uri") ?? "";
      const form = new URLSearchParams({ state: query.get("state") ?? "" });
      if (visitor === "refuses") {
        form.set("error", "user_cancelled_authorize");
        return { url, form };
      }
      const { email, isFirst } = visitor;
      const sub = `001.${Buffer.from(email).toString("hex")}.1200`;
      const iss = "https://appleid.apple.com";
      form.set("code", newCode({ iss, sub, email, email_verified: "true" }));
      form.set("id_token", "unread");
      const name = { firstName: "Ada", lastName: "Apple" };
      if (isFirst) form.set("user", JSON.stringify({ name, email }));
      return { url, form };
    },
    checkClient(form) {
      const [head, body, signature = ""] = (form.get("client_secret") ?? "").split(".");
      const { alg, kid } = decode(head);
      const { iss, sub, aud, iat, exp } = decode(body);
      const now = Date.now() / 1_000;
      const key = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
      const isOurs =
        form.get("client_id") === clientId &&
        verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url"));
      const isFitting =
        [alg, kid, iss, sub, aud].join() ===
        ["ES256", keyId, teamId, clientId, "https://appleid.apple.com"].join();
      const isCurrent = iat <= now + 60 && exp > now && exp <= now + HALF_A_YEAR_SECONDS;
      if (!isOurs || !isFitting || !isCurrent) throw new Error("invalid_client");
    },
  });
  return {
    ...provider,
    vars: {
      APPLE_CLIENT_ID: clientId,
      APPLE_TEAM_ID: teamId,
      APPLE_KEY_ID: keyId,
      APPLE_PRIVATE_KEY: privateKey,
    },
    /** Sets who signs in next; "refuses" presses "Cancel". */
    setVisitor(next: typeof visitor) {
      visitor = next;
    },
  };
}
