import { Form, useNavigation } from "react-router";
import { GatePage } from "../features/auth/screens/gate-page.tsx";
import { SignedInAs } from "../features/auth/screens/signed-in-as.tsx";
import { homeOf } from "../features/auth/sign-in/first-screen.ts";
import { EntryPage } from "../features/preferences/entry-page.tsx";
import { sendForm } from "../http/lost-network.ts";
import { requestContext } from "../http/request-context.ts";
import { safeRedirect } from "../http/safe-redirect.ts";
import { redirectWithToast } from "../http/toast.ts";
import { formatsOf } from "../i18n/formats.ts";
import { requireGracePeriod } from "../middleware/guards.ts";
import { languageContext } from "../middleware/locale.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { Button } from "../ui/forms/button.tsx";
import { ScreenTitle } from "../ui/layout/document.tsx";
import { isolate } from "../ui/text/isolate.ts";
import { useTranslation } from "../ui/text/translation.tsx";
import type { Route } from "./+types/restore.ts";

export const handle = { i18n: ["account", "onboarding"] };

export async function loader({ context, url }: Route.LoaderArgs) {
  const { email, dueAt } = await requireGracePeriod(context, url);
  const { timeZone } = context.get(requestContext);
  return { email, date: formatsOf(context.get(languageContext), timeZone).longDay(dueAt) };
}

export async function action({ context, url }: Route.ActionArgs) {
  const user = await requireGracePeriod(context, url);
  const { accountDeletion } = context.get(servicesContext);
  await accountDeletion.restore(context.get(requestContext), user.id);
  return redirectWithToast(safeRedirect(url.searchParams.get("redirect")) ?? homeOf(user), {
    kind: "success",
    message: "account:restore.done",
  });
}

export const clientAction = sendForm;

export default function RestoreScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("account");
  const isBusy = useNavigation().formMethod === "POST";
  const { email, date } = loaderData;
  return (
    <GatePage>
      <EntryPage>
        <ScreenTitle>{t("deletion.title")}</ScreenTitle>
        <div className="grid gap-2">
          <h1 className="text-xl font-semibold text-balance">
            {t("restore.title", { date: isolate(date) })}
          </h1>
          <p className="text-balance text-muted">{t("restore.text")}</p>
        </div>
        <Form method="post" className="grid">
          <Button isBusy={isBusy}>{t("restore.keep")}</Button>
        </Form>
        <SignedInAs email={email} />
      </EntryPage>
    </GatePage>
  );
}
