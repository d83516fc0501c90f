import { type CSSProperties, type ReactNode, useState } from "react";
import { buttonClass } from "../../../ui/forms/button.tsx";
import { LogoMark } from "../../../ui/text/logo.tsx";
import { ShownPicture } from "../../../ui/text/shown-picture.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { type AccentName, accentOf } from "../../../values/accents.ts";

/**
 * The colours of `theme.css`, whose `light-dark()` follows the page's theme and not the preview's.
 */
export const THEME_COLORS = {
  light: {
    page: "#fdfcfd",
    panel: "#ffffff",
    fill: "#f2eff3",
    ink: "#211f26",
    muted: "#65636d",
    line: "#e3dfe6",
  },
  dark: {
    page: "#121113",
    panel: "#1a191b",
    fill: "#232225",
    ink: "#eeeef0",
    muted: "#b5b2bc",
    line: "#323035",
  },
};

type Theme = keyof typeof THEME_COLORS;

/** Path of a picture of the site, or a file that is not sent yet. */
type Picture = string | File;

/** A logo, and whether it is a word mark, which says the name. */
export type PreviewLogo = { picture: Picture; isWordMark: boolean; isInMails: boolean };

export type PreviewPictures = {
  logo: { light: PreviewLogo; dark: PreviewLogo } | undefined;
  login: Picture | undefined;
  icons: { page: Picture; maskable: Picture; touch: Picture };
};

type BrandPreviewsProps = {
  name: string;
  sender: string;
  footer: string | undefined;
  accent: AccentName;
  shown: PreviewPictures;
};

/**
 * Previews of sign-in page, mail and icons with the form's values. Without JavaScript they show the
 * saved brand.
 */
export function BrandPreviews(props: BrandPreviewsProps) {
  const { accent } = props;
  const { t } = useTranslation("settings");
  const [theme, setTheme] = useState<Theme>("light");
  const { solid } = accentOf(accent);
  const colors = THEME_COLORS[theme];
  const style: CSSProperties & Record<`--${string}`, string> = {
    colorScheme: theme,
    "--color-accent": solid,
    "--color-page": colors.page,
    "--color-panel": colors.panel,
    "--color-fill": colors.fill,
    "--color-ink": colors.ink,
    "--color-muted": colors.muted,
    "--color-line": colors.line,
  };
  return (
    <section aria-label={t("brand.preview")} className="grid gap-4">
      <div className="flex gap-2 [@media(scripting:none)]:hidden">
        {(["light", "dark"] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={theme === one}
            className={buttonClass("secondary", "aria-pressed:bg-fill", true)}
            onClick={() => setTheme(one)}
          >
            {t(`brand.previewIn.${one}`)}
          </button>
        ))}
      </div>
      <div style={style} className="grid gap-4 sm:grid-cols-2 xl:grid-cols-1">
        <Preview title={t("brand.previewOf.login")}>
          <LoginPreview {...props} theme={theme} />
        </Preview>
        <Preview title={t("brand.previewOf.mail")}>
          <MailPreview {...props} theme={theme} />
        </Preview>
        <Preview title={t("brand.previewOf.icon")}>
          <IconPreview {...props} />
        </Preview>
      </div>
    </section>
  );
}

function Preview({ title, children }: { title: string; children: ReactNode }) {
  return (
    <figure className="grid min-w-0 content-start gap-2">
      <figcaption className="text-sm font-medium">{title}</figcaption>
      <div
        role="img"
        aria-label={title}
        className="overflow-hidden rounded-md border border-line bg-page text-ink"
      >
        {children}
      </div>
    </figure>
  );
}

type InTheme = BrandPreviewsProps & { theme: Theme };

/** The logo, or the gate, and beside it the name, as the pages' `Logo`. */
function NameLine({ name, logo }: { name: string; logo: PreviewLogo | undefined }) {
  return (
    <p className="flex h-7 min-w-0 items-center gap-2 text-sm font-semibold">
      {logo ? (
        <ShownPicture
          source={logo.picture}
          className="h-6 w-auto max-w-32 shrink-0 object-contain"
        />
      ) : (
        <LogoMark className="size-6 shrink-0" />
      )}
      {!logo?.isWordMark && <bdi className="truncate">{name}</bdi>}
    </p>
  );
}

function LoginPreview({ name, shown, theme }: InTheme) {
  const { t } = useTranslation("settings");
  const logo = shown.logo?.[theme];
  return (
    <div className="grid h-44 grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="grid min-w-0 content-start gap-3 p-4">
        <NameLine name={name} logo={logo} />
        <span className="mt-2 block h-2 w-24 rounded-full bg-ink" />
        <span className="block h-7 rounded-md border border-line bg-panel" />
        <span className="grid h-7 place-items-center truncate rounded-md bg-accent px-2 text-xs font-medium text-on-accent">
          {t("brand.previewButton")}
        </span>
      </div>
      <div className="gate-preview relative grid place-items-center overflow-hidden p-3">
        {shown.login ? (
          <ShownPicture source={shown.login} className="absolute inset-0 size-full object-cover" />
        ) : logo ? (
          <ShownPicture
            source={logo.picture}
            className="max-h-12 w-auto max-w-full object-contain"
          />
        ) : (
          <LogoMark className="size-20" />
        )}
      </div>
    </div>
  );
}

function MailPreview({ name, sender, footer, shown, theme }: InTheme) {
  const { t } = useTranslation("settings");
  // A mail leaves out what mail programs cannot draw, and then has the name alone.
  const logo = shown.logo?.[theme];
  const isBare = logo && !logo.isInMails;
  return (
    <div className="grid gap-2 p-4">
      <p className="truncate text-xs text-muted">
        <bdi className="font-semibold text-ink">{sender}</bdi>
      </p>
      <div className="rounded-md border border-line bg-panel">
        <span className="block h-1 rounded-t-md bg-accent" />
        <div className="grid gap-2 p-3">
          {isBare ? (
            <bdi className="truncate text-sm font-semibold">{name}</bdi>
          ) : (
            <NameLine name={name} logo={logo} />
          )}
          <span dir="ltr" className="rounded-md bg-fill py-1 text-center font-mono font-semibold">
            123 456
          </span>
          <span className="grid h-7 w-fit place-items-center rounded-md bg-accent px-3 text-xs font-medium text-on-accent">
            {t("brand.previewButton")}
          </span>
        </div>
      </div>
      {footer && <p className="truncate text-xs text-muted">{footer}</p>}
    </div>
  );
}

function IconPreview({ name, shown: { icons } }: BrandPreviewsProps) {
  return (
    <div className="grid gap-3 p-4">
      <p className="flex min-w-0 items-center gap-2 rounded-md bg-fill px-3 py-2 text-xs">
        <ShownPicture source={icons.page} className="size-4 shrink-0 object-contain" />
        <bdi className="truncate">{name}</bdi>
      </p>
      <div className="flex gap-6">
        {(
          [
            [icons.touch, "rounded-[22%]"],
            [icons.maskable, "rounded-full"],
          ] as const
        ).map(([icon, shape]) => (
          <span key={shape} className="grid w-16 justify-items-center gap-1">
            <ShownPicture
              source={icon}
              className={`size-14 border border-line bg-panel object-contain ${shape}`}
            />
            <bdi className="w-full truncate text-center text-xs">{name}</bdi>
          </span>
        ))}
      </div>
    </div>
  );
}
