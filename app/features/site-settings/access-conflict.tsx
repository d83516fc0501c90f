import { href } from "react-router";
import { ConflictNotice } from "../../ui/forms/conflict-notice.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { SIGN_UP_MODES } from "./choices.ts";
import type { AccessValues } from "./form-part.ts";

type AccessConflictProps = { theirs: AccessValues; yours: AccessValues };

/** Shows what another admin has saved meanwhile. */
export function AccessConflict({ theirs, yours }: AccessConflictProps) {
  const { t } = useTranslation("settings");
  const yes = (value: string | undefined) => (value === "yes" ? t("yes") : t("no"));
  const modeOf = ({ signUpMode }: AccessValues) => {
    const mode = SIGN_UP_MODES.find((one) => one === signUpMode);
    return mode && t(`signUp.${mode}`);
  };
  const field = (label: string, read: (values: AccessValues) => string | undefined) => ({
    label,
    theirs: read(theirs) ?? "",
    yours: read(yours),
  });
  return (
    <ConflictNotice
      discardHref={href("/manager/settings/access")}
      fields={[
        field(t("signUp.mode"), modeOf),
        field(t("signUp.organizationsAdmit"), (values) => yes(values.organizationsAdmit)),
        field(t("emails.allowed"), (values) => values.allowedDomains),
        field(t("emails.blocked"), (values) => values.blockedDomains),
        field(t("terms.url"), (values) => values.termsUrl),
        field(t("terms.privacyUrl"), (values) => values.privacyUrl),
        field(t("terms.version"), (values) => values.termsVersion),
      ]}
    />
  );
}
