import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Adapter, interactionPolicy, type Payload, Provider } from "oidc-provider";

const CLIENT_ID = "gatehouse";
const SCOPE = "openid email profile";
/** The path of the provider's login page. */
const LOGIN_PATH = "/interaction/";
const MAX_REDIRECTS = 10;

/**
 * The user at the provider's login page; "refuses" presses "Cancel" there. `claimed` is the e-mail
 * that the provider says in place of theirs; with null it says none.
 */
export type Visitor =
  | {
      email: string;
      isEmailVerified?: boolean;
      claimed?: string | null;
      name?: string;
      picture?: string;
    }
  | "refuses";

/** The provider's condition: it works, cuts connections, or never answers. */
type Condition = "well" | "down" | "hanging";

/**
 * Starts an OpenID Connect provider on loopback: `oidc-provider`, the certified server, with a login page that signs
 * `visitor` in without asking. It runs at 127.0.0.1, so that it shares no cookies with the product on localhost.
 */
export async function startIdentityProvider() {
  let condition: Condition = "well";
  let visitor: Visitor = "refuses";
  const people = new Map<string, Exclude<Visitor, "refuses">>();
  const clientSecret = randomUUID();

  const server = createServer((request, response) => {
    if (condition === "down") request.socket.destroy();
    else if (condition === "well") void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider = new Provider(issuer, {
    adapter: createMemory(),
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        // The callback of a native client on loopback may use any port (RFC 8252, section 7.3).
        application_type: "native",
        redirect_uris: ["http://localhost/api/auth/callback/oidc"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "picture"] },
    cookies: { keys: [randomUUID()] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context: unknown, accountId: string) => describePerson(accountId),
    interactions: {
      policy: alwaysAsk(),
      url: (_context: unknown, { uid }: { uid: string }) => LOGIN_PATH + uid,
    },
    jwks: { keys: [createSigningKey()] },
    loadExistingGrant: grantEverything,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  });
  const callback = provider.callback();

  return {
    /** The product's settings for this provider; its button says "Continue with Testpass". */
    vars: {
      OIDC_NAME: "Testpass",
      OIDC_DISCOVERY_URL: `${issuer}/.well-known/openid-configuration`,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: clientSecret,
    },
    issuer,
    setVisitor(next: Visitor) {
      visitor = next;
    },
    setCondition(next: Condition) {
      condition = next;
    },
    /** Follows the provider's redirects as a browser does, and returns the URL that leads back to the product. */
    async visit(url: string): Promise<string> {
      const cookies = new Map<string, string>();
      let next = url;
      for (let hops = 0; next.startsWith(issuer); hops++) {
        if (hops === MAX_REDIRECTS) throw new Error(`The provider goes in circles at ${next}`);
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const response = await fetch(next, { headers: { cookie }, redirect: "manual" });
        for (const line of response.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get("location");
        if (!location) throw new Error(`The provider answered ${response.status} at ${next}`);
        next = new URL(location, next).href;
      }
      return next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse) {
    if (!request.url?.startsWith(LOGIN_PATH)) {
      await callback(request, response);
      return;
    }
    if (visitor === "refuses") {
      await provider.interactionFinished(request, response, {
        error: "access_denied",
        error_description: "The person pressed Cancel",
      });
      return;
    }
    // The first e-mail of a user is their account id; it stays the same when the e-mail changes.
    const accountId = Buffer.from(visitor.email).toString("base64url");
    people.set(accountId, visitor);
    await provider.interactionFinished(request, response, { login: { accountId } });
  }

  function describePerson(accountId: string) {
    const person = people.get(accountId);
    if (!person) return undefined;
    const { claimed = person.email, isEmailVerified = true, name, picture } = person;
    const claims = {
      sub: accountId,
      email: claimed,
      email_verified: isEmailVerified,
      name,
      picture,
    };
    return { accountId, claims: () => claims };
  }

  /** Grants the scope without a consent screen. */
  async function grantEverything({ oidc }: import("oidc-provider").Context) {
    const { accountId } = oidc.session;
    const grant = new provider.Grant({ accountId, clientId: oidc.client.clientId });
    grant.addOIDCScope(SCOPE);
    await grant.save();
    return grant;
  }
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/** Returns the provider's prompts without consent; every sign-in shows the login page. */
function alwaysAsk() {
  const policy = interactionPolicy.base();
  const { Check } = interactionPolicy;
  policy.remove("consent");
  policy
    .get("login")
    .checks.add(
      new Check("each_time", "Everybody is asked each time", ({ oidc }) =>
        oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    );
  return policy;
}

function createSigningKey() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "test" };
}

/** Makes the provider's storage, one map for each kind of record. Nothing expires: no test runs that long. */
function createMemory(): (kind: string) => Adapter {
  const kinds = new Map<string, Map<string, Payload>>();
  return (kind) => {
    const records = kinds.get(kind) ?? new Map<string, Payload>();
    kinds.set(kind, records);
    const findBy = async (name: string, value: string) =>
      [...records.values()].find((payload) => payload[name] === value);
    return {
      upsert: async (id, payload) => void records.set(id, payload),
      find: async (id) => records.get(id),
      findByUid: (uid) => findBy("uid", uid),
      findByUserCode: (code) => findBy("userCode", code),
      async consume(id) {
        const payload = records.get(id);
        if (payload) payload.consumed = Math.floor(Date.now() / 1_000);
      },
      destroy: async (id) => void records.delete(id),
      async revokeByGrantId(grantId) {
        for (const [id, payload] of records) if (payload.grantId === grantId) records.delete(id);
      },
    };
  };
}
