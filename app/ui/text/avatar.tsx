import "./avatar.css";
import { useState } from "react";
import { href } from "react-router";
import { initialsOf } from "./initials.ts";
import { factsOfPicture } from "./picture-name.ts";

type AvatarProps = {
  name: string;
  email: string;
  /** File name of the picture; null for initials. */
  avatar: string | null;
  size?: "sm" | "lg";
};

/** The picture of a user, or initials on a colour that depends on the e-mail. */
export function Avatar({ name, email, avatar, size }: AvatarProps) {
  const picture =
    avatar === null
      ? null
      : {
          src: href("/avatars/:id", { id: avatar }),
          isBare: factsOfPicture(avatar).hasAlpha,
        };
  return <PictureOrInitials name={name || email} hueSource={email} picture={picture} size={size} />;
}

type PictureOrInitialsProps = {
  name: string;
  hueSource: string;
  /** The picture, bare when the initials would show through it or beside it; null for initials. */
  picture: { src: string; isBare: boolean } | null;
  size?: "sm" | "lg";
  /** Shows a logo: whole, in a square. */
  isLogo?: boolean;
};

/**
 * A picture, or initials. The initials also show until the picture has loaded and when it fails.
 * Decorative, because the name is beside it.
 */
export function PictureOrInitials(props: PictureOrInitialsProps) {
  const { name, hueSource, picture, size = "sm", isLogo = false } = props;
  const [missing, setMissing] = useState<string>();
  const shown = picture && picture.src !== missing ? picture : undefined;
  return (
    <span
      aria-hidden="true"
      // Drawn by CSS: visible text in a button would have to be part of its accessible name.
      data-initials={initialsOf(name)}
      className={[
        "avatar",
        size === "lg" && "avatar-large",
        isLogo && "avatar-square",
        shown?.isBare && "avatar-bare",
      ]
        .filter(Boolean)
        .join(" ")}
      style={{ "--hue": hueOf(hueSource) }}
    >
      {shown && (
        <img
          src={shown.src}
          alt=""
          width={256}
          height={256}
          decoding="async"
          className={`absolute inset-0 size-full ${isLogo ? "object-contain" : "object-cover"}`}
          onError={() => setMissing(shown.src)}
          // The picture may have failed before hydration.
          ref={(image) => {
            if (image?.complete && image.naturalWidth === 0) setMissing(shown.src);
          }}
        />
      )}
    </span>
  );
}

/** Number of colours: so few that two of them never look almost the same. */
const HUES = 12;

function hueOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return ((hash >>> 0) % HUES) * (360 / HUES);
}
