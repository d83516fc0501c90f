import "./avatar.css";
import { useState } from "react";
import { href } from "react-router";
import { initialsOf } from "./initials.ts";

type AvatarProps = {
  name: string;
  email: string;
  /** File name of the picture; null for initials. */
  avatar: string | null;
  size?: "sm" | "lg";
};

/** The picture of a user, or initials on a colour that depends on the e-mail. */
export function Avatar({ name, email, avatar, size }: AvatarProps) {
  const src = avatar && href("/avatars/:id", { id: avatar });
  return <PictureOrInitials name={name || email} hueSource={email} src={src} size={size} />;
}

type PictureOrInitialsProps = {
  name: string;
  hueSource: string;
  /** URL of the picture; null for initials. */
  src: string | null;
  size?: "sm" | "lg";
  isSquare?: boolean;
};

/**
 * A picture, or initials. The initials also show until the picture has loaded and when it fails. Decorative, because the
 * name is beside it.
 */
export function PictureOrInitials(props: PictureOrInitialsProps) {
  const { name, hueSource, src, size = "sm", isSquare = false } = props;
  const [missing, setMissing] = useState<string>();
  return (
    <span
      aria-hidden="true"
      // Drawn by CSS: visible text in a button would have to be part of its accessible name.
      data-initials={initialsOf(name)}
      className={["avatar", size === "lg" && "avatar-large", isSquare && "avatar-square"]
        .filter(Boolean)
        .join(" ")}
      style={{ "--hue": hueOf(hueSource) }}
    >
      {src && src !== missing && (
        <img
          src={src}
          alt=""
          width={256}
          height={256}
          decoding="async"
          className="absolute inset-0 size-full object-cover"
          onError={() => setMissing(src)}
          // The picture may have failed before hydration.
          ref={(image) => {
            if (image?.complete && image.naturalWidth === 0) setMissing(src);
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
