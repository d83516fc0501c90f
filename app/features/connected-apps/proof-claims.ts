/** How a person can prove who they are. */
type Proof = "code" | "passkey" | "provider";

/**
 * What an ID token says of a proof. `acr`: "phr" (phishing-resistant) is defined by OpenID Connect
 * EAP ACR Values 1.0, "0" by OpenID Connect Core 1.0, 2: nothing is claimed. `amr`, by RFC 8176:
 * - A passkey proves that its holder has a key ("pop"). Many are kept in software and synchronized,
 *   so "hwk" would not always be true. A passkey counts here only after it has checked its user by
 *   finger, face or PIN, so somebody was there ("user"), with a second factor ("mfa").
 * - A code by e-mail is a one-time password ("otp").
 * - No name of the registry fits another provider. "fed", federated, is what others write.
 */
export const PROOF_CLAIMS: Record<Proof, { acr: string; amr: readonly string[] }> = {
  passkey: { acr: "phr", amr: ["pop", "user", "mfa"] },
  code: { acr: "0", amr: ["otp"] },
  provider: { acr: "0", amr: ["fed"] },
};

export const ACR_VALUES: readonly string[] = ["phr", "0"];
