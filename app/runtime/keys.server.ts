/**
 * Keys derived from `BETTER_AUTH_SECRET` by HKDF, one for each purpose, so that a value made for one purpose is useless
 * for another.
 */
export type Keys = {
  /**
   * Returns the keyed hash of a text, 32 bytes in base64url. The same text under two purposes gives unrelated hashes.
   */
  mac(purpose: string, text: string): Promise<string>;
  /** True when `mac(purpose, text)`, now or with an earlier secret, equals `expected`; compared in constant time. */
  verifyMac(purpose: string, text: string, expected: string): Promise<boolean>;
  /**
   * Encrypts a text with AES-256-GCM; a new nonce precedes the ciphertext. The purpose is authenticated data, so the
   * text cannot be decrypted for another purpose.
   */
  encrypt(purpose: SealPurpose, text: string): Promise<string>;
  /** Decrypts a text. Throws when it was not made by `encrypt` with the same purpose and one of the secrets. */
  decrypt(purpose: SealPurpose, sealed: string): Promise<string>;
  /**
   * Decrypts a text that was encrypted before purposes existed. Only for mails that waited in the outbox when this
   * version was deployed: they expire within a week.
   */
  decryptWithoutPurpose(sealed: string): Promise<string>;
  /** Encrypts anew what an earlier secret has encrypted; undefined for what the present one has. */
  reseal(purpose: SealPurpose, sealed: string): Promise<string | undefined>;
  /**
   * The keys of earlier secrets, newest first. `verifyMac` and `decrypt` try them by themselves.
   * Code that looks a hash up asks each of them.
   */
  previous: readonly Keys[];
};

/**
 * Everything that is encrypted: the ban notice and pending link cookies, the return cookie of an
 * impersonation, a mail, the secret of a webhook.
 */
type SealPurpose = "ban-notice" | "pending-link" | "impersonation-return" | "mail" | "webhook";

const encoder = new TextEncoder();

/** Creates the keys of a secret, and of the earlier secrets that it has replaced. */
export function createKeys(secret: string, previousSecrets: readonly string[] = []): Keys {
  const previous = previousSecrets.map((older) => createKeys(older));
  const root = crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey"]);
  const macKey = root.then((key) =>
    crypto.subtle.deriveKey(
      derivation("gatehouse mac"),
      key,
      { name: "HMAC", hash: "SHA-256", length: 256 },
      false,
      ["sign", "verify"],
    ),
  );
  const sealKey = root.then((key) =>
    crypto.subtle.deriveKey(
      derivation("gatehouse seal"),
      key,
      { name: "AES-GCM", length: 256 },
      false,
      ["encrypt", "decrypt"],
    ),
  );

  const keys: Keys = {
    async mac(purpose, text) {
      const signature = await crypto.subtle.sign("HMAC", await macKey, message(purpose, text));
      return toBase64Url(new Uint8Array(signature));
    },
    async verifyMac(purpose, text, expected) {
      const signature = fromBase64Url(expected);
      if (!signature) return false;
      if (await crypto.subtle.verify("HMAC", await macKey, signature, message(purpose, text))) {
        return true;
      }
      const older = previous.map((keys) => keys.verifyMac(purpose, text, expected));
      return (await Promise.all(older)).includes(true);
    },
    async encrypt(purpose, text) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const sealed = await crypto.subtle.encrypt(
        { name: "AES-GCM", iv, additionalData: encoder.encode(purpose) },
        await sealKey,
        encoder.encode(text),
      );
      return `${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`;
    },
    decrypt: (purpose, sealed) =>
      open(sealed, encoder.encode(purpose)).catch((error) =>
        openWithOlder((keys) => keys.decrypt(purpose, sealed), error),
      ),
    decryptWithoutPurpose: (sealed) =>
      open(sealed, new Uint8Array()).catch((error) =>
        openWithOlder((keys) => keys.decryptWithoutPurpose(sealed), error),
      ),
    async reseal(purpose, sealed) {
      const isPresent = await open(sealed, encoder.encode(purpose)).catch(() => undefined);
      if (isPresent !== undefined) return undefined;
      return keys.encrypt(purpose, await keys.decrypt(purpose, sealed));
    },
    previous,
  };
  return keys;

  /** Decrypts with the first earlier secret that can. Throws the given error when none can. */
  function openWithOlder(decrypt: (keys: Keys) => Promise<string>, error: unknown) {
    return Promise.any(previous.map(decrypt)).catch(() => Promise.reject(error));
  }

  async function open(sealed: string, additionalData: Uint8Array<ArrayBuffer>): Promise<string> {
    const [iv, data] = sealed.split(".").map(fromBase64Url);
    if (!iv || !data) throw new Error("Not a sealed text");
    const algorithm = { name: "AES-GCM", iv, additionalData };
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, await sealKey, data));
  }
}

function derivation(info: string) {
  return { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(info) };
}

function message(purpose: string, text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`${purpose}\0${text}`);
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
