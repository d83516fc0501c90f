import { useEffect, useState } from "react";
import { GATE_PATHS, isWordMark } from "../../../ui/text/logo.tsx";
import { type AccentName, accentOf, DEFAULT_ACCENT } from "../../../values/accents.ts";
import type { PictureSource } from "../../../values/picture-source.ts";
import { BRAND_PICTURES, type BrandPicture } from "./brand.ts";
import { type PreviewLogo, type PreviewPictures, THEME_COLORS } from "./brand-previews.tsx";
import type { BrandIcons } from "./icons.ts";
import { isLeftOutOfMails, shownLogo } from "./shown-brand.ts";
import { useFaintThemes } from "./use-faint-themes.ts";

/** A file that the browser made of a chosen one. */
type Chosen = { file: File; isWordMark: boolean };

type Changes = {
  /** Version of the brand to which the changes belong. Another version starts without changes. */
  version: number;
  chosen: { [Name in BrandPicture]?: Chosen | undefined };
  removed: { [Name in BrandPicture]?: boolean };
};

/** The theme whose background leaves little to see of a logo. */
export type Faintness = { theme: "light" | "dark"; isOwn: boolean };

type Stored = {
  version: number;
  pictures: Record<BrandPicture, string | null>;
  icons: BrandIcons | null;
};

/**
 * The saved, chosen and removed pictures of the brand's form, and the ones to preview.
 * `canReadBack` tells whether this browser can send files by script.
 */
export function useBrandPictures(
  { version, pictures, icons }: Stored,
  typed: Record<string, string> | undefined,
  canReadBack: (form: FormData) => Promise<boolean>,
) {
  const [kept, setKept] = useState<Changes>();
  const [made, setMade] = useState<readonly File[]>();
  const [isDocumentForm, setIsDocumentForm] = useState(false);
  // Outside React: what the browser can do with files.
  useEffect(() => {
    const form = new FormData();
    form.set("file", new File(["?"], "file"));
    void canReadBack(form).then((can) => setIsDocumentForm(!can));
  }, [canReadBack]);

  const none: Changes = {
    version,
    chosen: {},
    removed: Object.fromEntries(
      BRAND_PICTURES.map((name) => [name, typed?.[`${name}Removed`] === "yes"]),
    ),
  };
  const { chosen, removed } = kept?.version === version ? kept : none;

  const fields = BRAND_PICTURES.map((name) => {
    const file = pictures[name];
    return {
      name,
      saved: file && shownLogo(file).src,
      isLeftOutOfMails: name !== "loginPicture" && file !== null && isLeftOutOfMails(file),
      chosen: chosen[name]?.file,
      onChoose: (next: { file: File; width: number; height: number } | undefined) =>
        setKept({
          version,
          chosen: {
            ...chosen,
            [name]: next && { file: next.file, isWordMark: isWordMark(next) },
          },
          removed,
        }),
      isRemoved: removed[name] === true,
      onRemove: (isRemoved: boolean) =>
        setKept({ version, chosen, removed: { ...removed, [name]: isRemoved } }),
    };
  });

  function logoOf(name: "logoLight" | "logoDark"): PreviewLogo | undefined {
    const next = chosen[name];
    if (next) return { picture: next.file, isWordMark: next.isWordMark, isInMails: true };
    const file = pictures[name];
    if (!file || removed[name]) return undefined;
    const logo = shownLogo(file);
    return {
      picture: logo.src,
      isWordMark: isWordMark(logo),
      isInMails: !isLeftOutOfMails(file),
    };
  }

  const [light, dark] = [logoOf("logoLight"), logoOf("logoDark")];
  const first = light ?? dark;
  const faint = {
    light: useFaintThemes(light?.picture),
    dark: useFaintThemes(dark?.picture),
  };

  /** Returns the theme in which a field's logo is hardly visible, and which field can help. */
  function faintnessOf(name: BrandPicture): Faintness | undefined {
    if (name === "loginPicture") return undefined;
    const [own, other] =
      name === "logoLight" ? (["light", "dark"] as const) : (["dark", "light"] as const);
    if (faint[own].includes(own)) return { theme: own, isOwn: true };
    const isAlone = !(light && dark);
    return isAlone && faint[own].includes(other) ? { theme: other, isOwn: false } : undefined;
  }

  const savedOf = icons && (pictures.logoLight ?? pictures.logoDark ?? icons.of);

  /** Returns the source of new icons; undefined when the saved or the default ones fit. */
  function iconSourceFor(accent: AccentName): PictureSource | undefined {
    if (first) {
      const isSaved = typeof first.picture === "string" && first.picture === `/brand/${savedOf}`;
      return isSaved ? undefined : first.picture;
    }
    if (accent === DEFAULT_ACCENT || savedOf === accent) return undefined;
    return gateIn(accent);
  }

  const path = (name: keyof Omit<BrandIcons, "of">) => icons && shownLogo(icons[name]).src;
  const icon = (name: keyof Omit<BrandIcons, "of">, own: string) =>
    made?.find((file) => file.name === name) ??
    (savedOf && first?.picture === `/brand/${savedOf}` ? path(name) : undefined) ??
    first?.picture ??
    own;
  const shown: PreviewPictures = {
    logo: first && { light: light ?? first, dark: dark ?? first },
    login:
      chosen.loginPicture?.file ??
      (pictures.loginPicture && !removed.loginPicture
        ? shownLogo(pictures.loginPicture).src
        : undefined),
    icons: {
      page: icon("icon192", "/icon-192.png"),
      maskable: icon("maskable512", "/icon-maskable-512.png"),
      touch: icon("touch180", "/icon-180.png"),
    },
  };

  return {
    fields: fields.map((field) => ({ ...field, faintness: faintnessOf(field.name) })),
    shown,
    isChanged: Object.values({ ...chosen, ...removed }).some(Boolean),
    isDocumentForm,
    iconSourceFor,
    iconGround: first && !light ? THEME_COLORS.dark.page : "#ffffff",
    setMadeIcons: setMade,
  };
}

const GATES = new Map<AccentName, PictureSource>();

/** Keeps the object for the same accent, so that the icons are drawn once. */
function gateIn(accent: AccentName): PictureSource {
  const gate = GATES.get(accent) ?? {
    draw(context: CanvasRenderingContext2D, side: number) {
      context.scale(side / 32, side / 32);
      context.fillStyle = accentOf(accent).solid;
      context.fill(new Path2D(GATE_PATHS[0]));
      context.fillStyle = "#fff";
      context.fill(new Path2D(GATE_PATHS[1]));
    },
  };
  GATES.set(accent, gate);
  return gate;
}
