import { useEffect, useState } from "react";
import { THEME_COLORS } from "./brand-previews.tsx";
import { isFaintOn, type Pixels } from "./logo-contrast.ts";

type Theme = keyof typeof THEME_COLORS;

/** Enough to tell what a logo looks like. */
const SIDE = 128;

/**
 * Returns the themes on whose background a logo is hardly visible; none until the browser has
 * looked at it. The logo is a path of the site, or a file that is not sent yet.
 */
export function useFaintThemes(logo: string | File | undefined): readonly Theme[] {
  const [known, setKnown] = useState<{ of: typeof logo; themes: Theme[] }>();
  // Outside React: the logo's pixels.
  useEffect(() => {
    if (!logo) return;
    let isLeft = false;
    void readPixels(logo).then((pixels) => {
      if (isLeft || !pixels) return;
      const themes = (["light", "dark"] as const).filter((theme) =>
        isFaintOn(pixels, THEME_COLORS[theme].page),
      );
      setKnown({ of: logo, themes });
    });
    return () => {
      isLeft = true;
    };
  }, [logo]);
  return known && known.of === logo ? known.themes : [];
}

async function readPixels(logo: string | File): Promise<Pixels | undefined> {
  try {
    const blob = typeof logo === "string" ? await (await fetch(logo)).blob() : logo;
    const picture = await createImageBitmap(blob);
    const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    const context = canvas.getContext("2d");
    context?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return context?.getImageData(0, 0, canvas.width, canvas.height);
  } catch {
    // A picture that cannot be read is told by its field.
    return undefined;
  }
}
