import { href } from "react-router";
import { PictureOrInitials } from "../../ui/text/avatar.tsx";
import { factsOfPicture } from "../../ui/text/picture-name.ts";

type OrganizationLogoProps = {
  id: string;
  name: string;
  /** File name of the logo; null for initials. */
  logo: string | null;
  size?: "sm" | "lg";
};

/** The whole logo of an organization, or initials on a colour that stays when its name changes. */
export function OrganizationLogo({ id, name, logo, size }: OrganizationLogoProps) {
  const picture = logo === null ? null : pictureOf(logo);
  return <PictureOrInitials name={name} hueSource={id} picture={picture} size={size} isLogo />;
}

function pictureOf(logo: string) {
  const { hasAlpha, width, height } = factsOfPicture(logo);
  return { src: href("/logos/:file", { file: logo }), isBare: hasAlpha || width !== height };
}
