import type { CSSProperties } from "react";
import { LogoImage, LogoMark } from "../../../ui/text/logo.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { type AccentName, accentOf } from "../../../values/accents.ts";
import { shownLogo } from "./shown-brand.ts";

/** The colours of `theme.css`: the build resolves its `light-dark()` on the page's root only. */
const COLORS = {
  light: { page: "#fdfcfd", ink: "#211f26", line: "#e3dfe6" },
  dark: { page: "#121113", ink: "#eeeef0", line: "#323035" },
};

/** A logo on the page's colour of its theme. */
export function LogoInTheme({ file, theme }: { file: string; theme: keyof typeof COLORS }) {
  return (
    <span
      className="shrink-0 rounded-md border border-line p-3"
      style={{ background: COLORS[theme].page }}
    >
      <LogoImage logo={shownLogo(file)} className="size-auto max-h-16 max-w-32" />
    </span>
  );
}

export type BrandLogos = { light: string | null; dark: string | null };

type BrandPreviewProps = { name: string; accent: AccentName; logos: BrandLogos };

/** Shows the name, logo and accent in both themes, as they are typed. */
export function BrandPreview(props: BrandPreviewProps) {
  const { t } = useTranslation("settings");
  return (
    <section aria-label={t("brand.preview")} className="grid gap-4 sm:grid-cols-2 xl:grid-cols-1">
      <PreviewInTheme {...props} theme="light" />
      <PreviewInTheme {...props} theme="dark" />
    </section>
  );
}

function PreviewInTheme({
  name,
  accent,
  logos,
  theme,
}: BrandPreviewProps & { theme: "light" | "dark" }) {
  const { t } = useTranslation("settings");
  const { solid, ink } = accentOf(accent);
  const { page, ink: text, line } = COLORS[theme];
  const file = theme === "light" ? (logos.light ?? logos.dark) : (logos.dark ?? logos.light);
  const style: CSSProperties & Record<`--${string}`, string> = {
    "--color-page": page,
    "--color-ink": text,
    "--color-line": line,
    "--color-accent": solid,
  };
  return (
    <div
      style={style}
      className="grid gap-4 rounded-md border border-line bg-page p-6 text-ink [&_:not(img)]:min-w-0"
    >
      <p className="flex items-center gap-2 font-semibold">
        {file ? <LogoImage logo={shownLogo(file)} className="h-7 w-auto max-w-24" /> : <LogoMark />}
        <bdi className="truncate">{name}</bdi>
      </p>
      <p className="flex flex-wrap items-center gap-4 text-sm">
        <span className="rounded-md bg-accent px-4 py-2 font-medium text-on-accent">
          {t("brand.previewButton")}
        </span>
        <span
          className="underline underline-offset-4"
          style={{ color: theme === "light" ? ink[0] : ink[1] }}
        >
          {t("brand.previewLink")}
        </span>
      </p>
    </div>
  );
}
