import { href } from "react-router";
import { PictureOrInitials } from "../../ui/text/avatar.tsx";

type OrganizationLogoProps = {
  id: string;
  name: string;
  /** File name of the logo; null for initials. */
  logo: string | null;
  size?: "sm" | "lg";
};

/** The logo of an organization, or initials on a colour that stays when its name changes. */
export function OrganizationLogo({ id, name, logo, size }: OrganizationLogoProps) {
  const src = logo && href("/logos/:file", { file: logo });
  return <PictureOrInitials name={name} hueSource={id} src={src} size={size} isSquare />;
}
