import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { Browser } from "./client.ts";

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const HAS_CREDENTIAL = 0x40;

type Options = {
  /** The origin of the page that uses the authenticator. */
  origin: string;
  /** Whether it verifies its user by fingerprint, face or PIN. */
  isVerifying?: boolean;
  isSynced?: boolean;
  aaguid?: string;
  /** The signature counter it starts with; a counter of 0 never increases. */
  counter?: number;
};

/** Makes an authenticator with one passkey, as far as a server can see it (WebAuthn level 3, section 6). */
export function newAuthenticator(options: Options) {
  const { origin, isVerifying = true, isSynced = false } = options;
  const { aaguid = "00000000-0000-0000-0000-000000000000" } = options;
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16).toString("base64url");
  const device = { counter: options.counter ?? 0, origin };

  function authenticatorData(flags: number, credential: Uint8Array[] = []): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(device.counter);
    const verified = isVerifying ? USER_VERIFIED : 0;
    const synced = isSynced ? BACKUP_ELIGIBLE | BACKED_UP : 0;
    const rpId = createHash("sha256").update(new URL(origin).hostname).digest();
    const all = flags | USER_PRESENT | verified | synced;
    return Buffer.concat([rpId, Uint8Array.of(all), counter, ...credential]);
  }

  function clientData(type: "webauthn.create" | "webauthn.get", challenge: string): Buffer {
    const { origin: page } = device;
    return Buffer.from(JSON.stringify({ type, challenge, origin: page, crossOrigin: false }));
  }

  return {
    id,
    /** State that a test may change. */
    device,

    /** Returns what `navigator.credentials.create` returns, as JSON. */
    create(challenge: string, format: "none" | "packed" | "packed-self" | "apple" = "none") {
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const key = cborMap([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]);
      const idBytes = Buffer.from(id, "base64url");
      const data = authenticatorData(HAS_CREDENTIAL, [
        Buffer.from(aaguid.replaceAll("-", ""), "hex"),
        Uint8Array.of(0, idBytes.length),
        idBytes,
        key,
      ]);
      const client = clientData("webauthn.create", challenge);
      const hash = createHash("sha256").update(client).digest();
      const signature = sign("sha256", Buffer.concat([data, hash]), privateKey);
      const statements = {
        none: cborMap([]),
        "packed-self": cborMap([
          ["alg", -7],
          ["sig", signature],
        ]),
        packed: cborMap([
          ["alg", -7],
          ["sig", signature],
          ["x5c", [randomBytes(64)]],
        ]),
        apple: cborMap([["x5c", [randomBytes(64)]]]),
      };
      const attestation = cborMap([
        ["fmt", format === "packed-self" ? "packed" : format],
        ["attStmt", new Raw(statements[format])],
        ["authData", data],
      ]);
      return {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString("base64url"),
          attestationObject: attestation.toString("base64url"),
          transports: ["internal"],
        },
      };
    },

    /** Returns what `navigator.credentials.get` returns, as JSON. */
    get(challenge: string) {
      if (device.counter > 0) device.counter += 1;
      const data = authenticatorData(0);
      const client = clientData("webauthn.get", challenge);
      const hash = createHash("sha256").update(client).digest();
      const signature = sign("sha256", Buffer.concat([data, hash]), privateKey);
      return {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: signature.toString("base64url"),
        },
      };
    },
  };
}

export type Authenticator = ReturnType<typeof newAuthenticator>;

/** Asks the product for the options of a ceremony. Throws when it refuses. */
export async function optionsFor(
  browser: Browser,
  ceremony: "register" | "authenticate",
): Promise<{ challenge: string } & Record<string, unknown>> {
  const response = await browser.get(`/api/auth/passkey/generate-${ceremony}-options`);
  if (response.status !== 200) throw new Error(`No options: ${await response.text()}`);
  return JSON.parse(await response.text());
}

/** Adds a passkey to the account of the signed-in user. */
export async function addPasskey(browser: Browser, authenticator: Authenticator) {
  const { challenge } = await optionsFor(browser, "register");
  return browser.api("/api/auth/passkey/verify-registration", {
    response: authenticator.create(challenge),
  });
}

/** Signs in with a passkey, as the login page does. */
export async function signInWithPasskey(browser: Browser, authenticator: Authenticator) {
  const { challenge } = await optionsFor(browser, "authenticate");
  return browser.api("/api/auth/passkey/verify-authentication", {
    response: authenticator.get(challenge),
    callbackURL: "/",
  });
}

/** A value that is already encoded as CBOR. */
class Raw {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

type Value = number | string | Uint8Array | Raw | Value[];

/** Encodes a map in CBOR (RFC 8949), with the types that authenticators use. */
function cborMap(entries: [number | string, Value][]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat().map((value) => cbor(value))]);
}

function cbor(value: Value): Buffer {
  if (value instanceof Raw) return value.bytes;
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  return Buffer.concat([head(2, value.length), value]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.of((major << 5) | length);
  if (length < 256) return Buffer.of((major << 5) | 24, length);
  return Buffer.of((major << 5) | 25, length >> 8, length & 255);
}
