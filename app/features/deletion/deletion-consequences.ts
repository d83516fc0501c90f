import { useTranslation } from "../../ui/text/translation.tsx";
import { GRACE_DAYS } from "./grace.ts";

/** What the deletion of an account does, one sentence each, and how long it can be undone. */
export function useDeletionConsequences(): string[] {
  const { t } = useTranslation("account");
  return [t("deletion.erases"), t("deletion.signsOut"), t("deletion.keep", { count: GRACE_DAYS })];
}
