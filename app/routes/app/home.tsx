import { formatsOf } from "../../i18n/formats.ts";
import { getCurrentSession, requirePermission } from "../../middleware/current-user.ts";
import { languageContext } from "../../middleware/locale.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ScreenTitle } from "../../ui/document.tsx";
import { EmailText } from "../../ui/email-text.tsx";
import { isolate } from "../../ui/isolate.ts";
import { useTranslation } from "../../ui/translation.tsx";
import type { Route } from "./+types/home.ts";

export function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "apps", "app");
  const { user, session } = getCurrentSession(context);
  const format = formatsOf(context.get(languageContext));
  return {
    name: user.name,
    email: user.email,
    avatar: user.avatar,
    memberSince: user.onboardedAt && format.longDay(user.onboardedAt),
    signedInSince: format.longDay(session.createdAt),
  };
}

export default function AppHomeScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("app");
  const { name, email, avatar, memberSince, signedInSince } = loaderData;
  return (
    <div className="grid gap-6">
      <ScreenTitle>{t("home.title")}</ScreenTitle>
      <h1 className="text-xl font-semibold">
        {t("home.greeting", { name: isolate(name || email) })}
      </h1>
      <section
        aria-label={t("home.about")}
        className="flex flex-wrap items-center gap-6 rounded-md border border-line bg-panel p-4 shadow-low sm:p-6"
      >
        <Avatar name={name} email={email} avatar={avatar} size="lg" />
        <dl className="grid grow gap-4 text-sm sm:grid-cols-3">
          <Fact term={t("home.email")}>
            <EmailText>{email}</EmailText>
          </Fact>
          <Fact term={t("home.memberSince")}>{memberSince}</Fact>
          <Fact term={t("home.signedInSince")}>{signedInSince}</Fact>
        </dl>
      </section>
    </div>
  );
}

function Fact({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <dt className="text-muted">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
