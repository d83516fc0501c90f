import "./avatar.css";
import { useState } from "react";
import { href } from "react-router";

type AvatarProps = {
  name: string;
  email: string;
  /** File name of the picture; null for initials. */
  avatar: string | null;
  size?: "sm" | "lg";
};

/**
 * A picture, or initials on a colour that depends on the e-mail. The initials also show until the picture has loaded
 * and when it fails. Decorative, because the name is beside it.
 */
export function Avatar({ name, email, avatar, size = "sm" }: AvatarProps) {
  const [missing, setMissing] = useState<string>();
  return (
    <span
      aria-hidden="true"
      // Drawn by CSS: visible text in a button would have to be part of its accessible name.
      data-initials={initialsOf(name || email)}
      className={size === "lg" ? "avatar avatar-large" : "avatar"}
      style={{ "--hue": hueOf(email) }}
    >
      {avatar && avatar !== missing && (
        <img
          src={href("/avatars/:id", { id: avatar })}
          alt=""
          width={256}
          height={256}
          decoding="async"
          className="absolute inset-0 size-full object-cover"
          onError={() => setMissing(avatar)}
          // The picture may have failed before hydration.
          ref={(image) => {
            if (image?.complete && image.naturalWidth === 0) setMissing(avatar);
          }}
        />
      )}
    </span>
  );
}

function hueOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return hash;
}

function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s@._-]+/)
    .filter(Boolean);
  const [first = "?", last] = words.length > 1 ? [words[0], words.at(-1)] : words;
  const letters = [...first].slice(0, 1).concat(last ? [...last].slice(0, 1) : []);
  return letters.join("").toUpperCase();
}
