import { href } from "react-router";
import { nameFieldOf, OTHER_LANGUAGES } from "../../../i18n/name-fields.ts";
import { ConflictNotice } from "../../../ui/forms/conflict-notice.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { isAccent } from "../../../values/accents.ts";
import type { BrandFormValues } from "./brand-values.ts";

type BrandConflictProps = { theirs: BrandFormValues; yours: BrandFormValues };

/** Shows what another admin has saved meanwhile. */
export function BrandConflict({ theirs, yours }: BrandConflictProps) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const accentOf = ({ accent }: BrandFormValues) =>
    isAccent(accent) ? t(`brand.accents.${accent}`) : t("default");
  const field = (label: string, read: (values: BrandFormValues) => string | undefined) => ({
    label,
    theirs: read(theirs) ?? "",
    yours: read(yours),
  });
  return (
    <ConflictNotice
      discardHref={href("/manager/settings/brand")}
      fields={[
        field(t("brand.name"), ({ name }) => name),
        ...OTHER_LANGUAGES.map((language) =>
          field(
            t("brand.nameIn", { language: format.language(language) }),
            (values) => values[nameFieldOf(language)],
          ),
        ),
        field(t("brand.accent"), accentOf),
        field(t("brand.helpUrl"), ({ helpUrl }) => helpUrl),
        field(t("brand.supportUrl"), ({ supportUrl }) => supportUrl),
        field(t("brand.senderName"), ({ senderName }) => senderName),
        field(t("brand.mailFooter"), ({ mailFooter }) => mailFooter),
      ]}
    />
  );
}
