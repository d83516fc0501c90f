import type { DemonstrationLogin } from "../../feature.ui.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { DemoButtons } from "./demo-buttons.tsx";

function NothingSaved() {
  const { t } = useTranslation("login");
  return <Notice kind="info">{t("demo")}</Notice>;
}

function Intro() {
  const { t } = useTranslation("login");
  return <p className="text-muted">{t("demoIntro")}</p>;
}

/** What the pages of the sign-in show of a demonstration. */
export const demoLogin = {
  Notice: NothingSaved,
  Intro,
  Accounts: DemoButtons,
} satisfies DemonstrationLogin;
