import { expect, test } from "vitest";
import { newAuthenticator } from "../../../../tests/support/authenticator.ts";
import { PasskeyRegistration } from "./input.ts";

const origin = "https://gatehouse.example";

test.each(["none", "packed-self"] as const)(
  "an attestation of format %s reaches the verifier",
  (format) => {
    const response = newAuthenticator({ origin }).create("challenge", format);

    const read = PasskeyRegistration.parse({ response });

    expect(read.response.response.attestationObject).toBe(response.response.attestationObject);
  },
);

test("an attestation whose certificates may contain URLs never reaches the verifier", () => {
  const response = newAuthenticator({ origin }).create("challenge", "apple");

  const read = PasskeyRegistration.parse({ response });

  expect(Buffer.from(read.response.response.attestationObject, "base64url").toString("hex")).toBe(
    "a0",
  );
});
