import type { SignUpMode } from "./choices.ts";
import { domainOf, domainsAbove } from "./email-domain.ts";
import type { AccessInput } from "./input.ts";

/** Returns the settings as the form's fields have them. `installed` is the environment's mode. */
export function valuesOf(settings: AccessInput, installed: SignUpMode) {
  const { signUpMode, termsUrl, privacyUrl, termsVersion } = settings;
  const check = (isChecked: boolean) => (isChecked ? "yes" : "");
  return {
    signUpMode: signUpMode ?? installed,
    organizationsAdmit: check(settings.organizationsAdmit),
    allowedDomains: settings.allowedDomains.join("\n"),
    blockedDomains: settings.blockedDomains.join("\n"),
    termsUrl: termsUrl ?? "",
    privacyUrl: privacyUrl ?? "",
    termsVersion: termsVersion ?? "",
  };
}

/**
 * Returns a chosen mode as it is stored: null follows the environment. A mode that was in force
 * before stays as it was stored, so that a save of something else changes nothing here.
 */
export function storedMode(
  chosen: SignUpMode | null,
  before: SignUpMode | null,
  installed: SignUpMode,
): SignUpMode | null {
  if (chosen === (before ?? installed)) return before;
  return chosen === installed ? null : chosen;
}

/** Returns the domain of a manager's own e-mail when new people from it cannot sign up; undefined otherwise. */
export function lockedOutDomain(
  { allowedDomains, blockedDomains }: AccessInput,
  email: string,
): string | undefined {
  const domain = domainOf(email);
  const isBlocked = domainsAbove(domain).some((name) => blockedDomains.includes(name));
  const isMissing = allowedDomains.length > 0 && !allowedDomains.includes(domain);
  return isBlocked || isMissing ? domain : undefined;
}
