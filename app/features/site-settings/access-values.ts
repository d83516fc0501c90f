import { domainOf, domainsAbove } from "./email-domain.ts";
import type { AccessInput } from "./input.ts";

/** Returns the settings as the form's fields have them. */
export function valuesOf(settings: AccessInput) {
  const { signUpMode, termsUrl, privacyUrl, termsVersion } = settings;
  const check = (isChecked: boolean) => (isChecked ? "yes" : "");
  return {
    signUpMode: signUpMode ?? "",
    organizationsAdmit: check(settings.organizationsAdmit),
    allowedDomains: settings.allowedDomains.join("\n"),
    blockedDomains: settings.blockedDomains.join("\n"),
    termsUrl: termsUrl ?? "",
    privacyUrl: privacyUrl ?? "",
    termsVersion: termsVersion ?? "",
  };
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
