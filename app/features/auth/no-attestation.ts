/**
 * Stands in for what @simplewebauthn/server would check an authenticator's maker with: formats of attestation, their
 * certificates and roots, 60 kB. Nobody is asked for an attestation; who sends one all the same is refused.
 */
function refuse(): never {
  throw new Error("This product asks for no attestation");
}

/** The roots of a format that is never verified: none. */
export const SettingsService = { getRootCertificates: (): string[] => [] };
export const MetadataService = { getStatement: refuse };

export {
  refuse as convertX509PublicKeyToCOSE,
  refuse as getCertificateInfo,
  refuse as isCertRevoked,
  refuse as validateCertificatePath,
  refuse as validateExtFIDOGenCEAAGUID,
  refuse as verifyAttestationAndroidKey,
  refuse as verifyAttestationAndroidSafetyNet,
  refuse as verifyAttestationApple,
  refuse as verifyAttestationFIDOU2F,
  refuse as verifyAttestationTPM,
  refuse as verifyAttestationWithMetadata,
};
