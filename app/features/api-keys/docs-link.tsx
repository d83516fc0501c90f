import { href } from "react-router";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { rememberMadeKey } from "./made-key.ts";

/** Link to the documentation of the API. A key that was just made appears in its examples. */
export function DocsLink({ madeKey }: { madeKey?: string | undefined }) {
  const { t } = useTranslation("api-keys");
  return (
    <ButtonLink
      variant="secondary"
      isSmall
      to={href("/api/docs")}
      onClick={() => madeKey !== undefined && rememberMadeKey(madeKey)}
    >
      <Icon name="scroll-text" className="size-4" />
      {t("docs")}
    </ButtonLink>
  );
}
