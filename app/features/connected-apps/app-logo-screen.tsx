import { ScreenTitle } from "../../ui/layout/document.tsx";
import type { MessageReference } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { PictureScreen } from "../avatars/picture-screen.tsx";
import { AppLogo } from "./app-logo.tsx";

type AppLogoScreenProps = {
  app: { clientId: string; name: string; logo: string | null };
  /** URL of the app's screen. */
  above: string;
  isAvailable: boolean;
  /** Why nothing of its organization can change. */
  closed?: MessageReference | undefined;
  result: { errors: Record<string, string[]> } | undefined;
};

/** Changes or removes the logo of an app. */
export function AppLogoScreen({ app, above, isAvailable, closed, result }: AppLogoScreenProps) {
  const { t } = useTranslation("connected-apps");
  const organizations = useTranslation("organizations").t;
  return (
    <>
      <ScreenTitle>{`${organizations("logo.title")} · ${app.name}`}</ScreenTitle>
      <PictureScreen
        kind="logo"
        intro={t("office.logoIntro")}
        current={<AppLogo {...app} size="lg" />}
        hasPicture={app.logo !== null}
        above={{ to: above, name: app.name }}
        isAvailable={isAvailable}
        {...(closed && { closed })}
        result={result}
      />
    </>
  );
}
