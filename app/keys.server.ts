/**
 * Keys derived from `BETTER_AUTH_SECRET` by HKDF, one for each purpose, so that what is stored under one can say
 * nothing about another.
 */
export type Keys = {
  /** Keyed hash of a text, 32 bytes in base64url. The same text under two purposes gives unrelated hashes. */
  mac(purpose: string, text: string): Promise<string>;
  /** Whether `mac(purpose, text)` is `expected`, compared in constant time. */
  verifyMac(purpose: string, text: string, expected: string): Promise<boolean>;
  /** AES-256-GCM; a fresh nonce stands in front of the ciphertext. */
  encrypt(text: string): Promise<string>;
  /** Throws when the text was not made by `encrypt` under the same secret. */
  decrypt(sealed: string): Promise<string>;
};

const encoder = new TextEncoder();

export function createKeys(secret: string): Keys {
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

  return {
    async mac(purpose, text) {
      const signature = await crypto.subtle.sign("HMAC", await macKey, message(purpose, text));
      return toBase64Url(new Uint8Array(signature));
    },
    async verifyMac(purpose, text, expected) {
      const signature = fromBase64Url(expected);
      return (
        signature !== undefined &&
        (await crypto.subtle.verify("HMAC", await macKey, signature, message(purpose, text)))
      );
    },
    async encrypt(text) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const sealed = await crypto.subtle.encrypt(
        { name: "AES-GCM", iv },
        await sealKey,
        encoder.encode(text),
      );
      return `${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`;
    },
    async decrypt(sealed) {
      const [iv, data] = sealed.split(".").map(fromBase64Url);
      if (!iv || !data) throw new Error("Not a sealed text");
      const text = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, await sealKey, data);
      return new TextDecoder().decode(text);
    },
  };
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
