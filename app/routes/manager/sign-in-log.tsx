import {
  SignInSearch,
  SignInTimeline,
  TroubledUsers,
} from "../../features/auth/screens/sign-in-log.tsx";
import { requirePermission } from "../../middleware/current-user.ts";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/sign-in-log.ts";
import { readSignInLog } from "./sign-in-log-page.server.ts";

export const handle = { i18n: ["logs", "events"] };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "mail", "read");
  return readSignInLog(context, url.searchParams.get("email")?.trim() ?? "");
}

export default function SignInLogScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("logs");
  const { asked, isUnknown, found, troubled, now } = loaderData;
  return (
    <div className="grid gap-4">
      <ScreenTitle>{t("signIn.title")}</ScreenTitle>
      <ScreenHeader title={t("signIn.title")} />
      <p className="max-w-prose text-sm text-muted">{t("signIn.intro")}</p>
      <SignInSearch asked={asked} isUnknown={isUnknown} />
      {found ? (
        <SignInTimeline found={found} now={now} />
      ) : (
        !isUnknown && <TroubledUsers rows={troubled} now={now} />
      )}
    </div>
  );
}
