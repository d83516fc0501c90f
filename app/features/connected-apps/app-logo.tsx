import { href } from "react-router";
import { PictureOrInitials } from "../../ui/text/avatar.tsx";
import { factsOfPicture } from "../../ui/text/picture-name.ts";

type AppLogoProps = {
  clientId: string;
  name: string;
  /** File name of the logo; null for initials. */
  logo: string | null;
  size?: "sm" | "lg";
};

/** The whole logo of an app, or initials on a colour that stays when its name changes. */
export function AppLogo({ clientId, name, logo, size }: AppLogoProps) {
  const picture = logo === null ? null : pictureOf(logo);
  return (
    <PictureOrInitials name={name} hueSource={clientId} picture={picture} size={size} isLogo />
  );
}

function pictureOf(logo: string) {
  const { hasAlpha, width, height } = factsOfPicture(logo);
  const src = href("/connected-apps/logos/:file", { file: logo });
  return { src, isBare: hasAlpha || width !== height };
}
