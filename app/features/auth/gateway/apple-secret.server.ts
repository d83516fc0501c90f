import { sign } from "node:crypto";

export type AppleCredentials = {
  clientId: string;
  teamId: string;
  keyId: string;
  /** The key's file, as PEM. */
  privateKey: string;
};

const LIFETIME_SECONDS = 300;

/**
 * Returns the client secret for one call to Apple: a JWT that the team's key has signed. Source:
 * Apple, "Creating a client secret".
 */
export function appleClientSecret(credentials: AppleCredentials, now: Date): string {
  const { clientId, teamId, keyId, privateKey } = credentials;
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const claims = {
    iss: teamId,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
    aud: "https://appleid.apple.com",
    sub: clientId,
  };
  const signed = `${encode({ alg: "ES256", kid: keyId })}.${encode(claims)}`;
  const key = { key: privateKey, dsaEncoding: "ieee-p1363" } as const;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
