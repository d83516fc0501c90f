import { useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";

/** Says whose app it is, so that nobody takes it for one of the site. */
export function AppOwner({ name }: { name: string }) {
  const { t } = useTranslation("connected-apps");
  return (
    <p className="font-medium">
      <WithOwnText text={(organization) => t("owned.of", { organization })} value={name} />
    </p>
  );
}
