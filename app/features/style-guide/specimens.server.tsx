import type { ReactNode } from "react";
import { Avatar, PictureOrInitials } from "../../ui/avatar.tsx";
import { Badge, QuietState } from "../../ui/badge.tsx";
import { Button, ButtonLink, type ButtonVariant } from "../../ui/button.tsx";
import { EmailText } from "../../ui/email-text.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ICON_NAMES } from "../../ui/icon-names.ts";
import { Logo, LogoMark } from "../../ui/logo.tsx";
import { DetailTime, RelativeTime } from "../../ui/relative-time.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { FORM_SPECIMENS } from "./form-specimens.server.tsx";
import { FRAME_SPECIMENS } from "./frame-specimens.server.tsx";
import { SCREEN_SPECIMENS } from "./screen-specimens.server.tsx";
import { State, StateName } from "./specimen-frame.tsx";

/** Draws the states of a primitive. */
export type Specimen = () => ReactNode;

const COLORS = [
  ...[
    "page",
    "panel",
    "sunken",
    "fill",
    "fill-hover",
    "fill-active",
    "raised",
    "line",
    "line-strong",
  ],
  ...["line-button", "ink", "muted", "accent", "accent-hover", "accent-ink", "accent-fill"],
  ...["accent-line", "on-accent", "danger", "danger-solid", "danger-fill", "danger-line"],
  ...["success", "success-fill", "success-line", "warning", "warning-fill", "warning-line"],
];

const SIZES = ["xs", "sm", "base", "lg", "xl", "2xl"];

const VARIANTS: ButtonVariant[] = ["primary", "secondary", "quiet", "danger"];

const TONES = [
  "border-line bg-sunken",
  "border-accent-line bg-accent-fill",
  "border-success-line bg-success-fill",
  "border-warning-line bg-warning-fill",
  "border-danger-line bg-danger-fill",
];

const NOW = new Date("2026-11-21T23:17:00Z");

const NAMES = ["Lina Haddad", "زهراء الزين", "Zawadi Mwangi", "Amélie Étienne"];

/** Specimens by the name of the primitive. */
export const SPECIMENS: Record<string, Specimen> = {
  colors: () => (
    <div className="flex flex-wrap gap-2">
      {COLORS.map((name) => (
        <span key={name} className="grid w-24 gap-1">
          <span
            className="h-9 rounded-md border border-line"
            style={{ background: `var(--color-${name})` }}
          />
          <StateName>{name}</StateName>
        </span>
      ))}
    </div>
  ),
  type: () => (
    <div className="grid gap-2">
      {SIZES.map((size) => (
        <Sentence key={size} size={size} />
      ))}
    </div>
  ),
  logo: () => (
    <Row>
      <Logo />
      <LogoMark />
    </Row>
  ),
  icons: () => (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-x-2 gap-y-4 text-center">
      {ICON_NAMES.map((name) => (
        <span key={name} className="grid content-start justify-items-center gap-1">
          <Icon name={name} />
          <StateName>{name}</StateName>
        </span>
      ))}
    </div>
  ),
  button: () => VARIANTS.map((variant) => <Buttons key={variant} variant={variant} />),
  badge: () => (
    <Row>
      {TONES.map((tone) => (
        <Badge key={tone} tone={tone}>
          <Word />
        </Badge>
      ))}
      <QuietState>
        <Word />
      </QuietState>
    </Row>
  ),
  avatar: () => (
    <Row>
      {NAMES.map((name) => (
        <Avatar key={name} name={name} email={name} avatar={null} />
      ))}
      <PictureOrInitials name="Lina" hueSource="lina" src="/icon-180.png" />
      <Avatar name="Lina Haddad" email="lina@example.com" avatar={null} size="lg" />
      <PictureOrInitials name="Nyumbani" hueSource="nyumbani" src={null} isSquare />
      <PictureOrInitials name="Nyumbani" hueSource="nyumbani" src={null} size="lg" isSquare />
    </Row>
  ),
  "email-text": () => (
    <p className="w-42 rounded-md border border-dashed border-line-strong p-1">
      <EmailText>lina.haddad.el-amrani@mail.example.com</EmailText>
    </p>
  ),
  "relative-time": () => (
    <Row>
      {[0, 3, 50, 5_000, 500_000].map((minutes) => (
        <RelativeTime key={minutes} date={new Date(NOW.getTime() - minutes * 60_000)} now={NOW} />
      ))}
      <DetailTime date={new Date("2026-03-12T14:03:00Z")} now={NOW} />
    </Row>
  ),
  spinner: () => <Spinner />,
  ...FORM_SPECIMENS,
  ...SCREEN_SPECIMENS,
  ...FRAME_SPECIMENS,
};

function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>;
}

function Sentence({ size }: { size: string }) {
  const { t } = useTranslation("dev");
  const style = { fontSize: `var(--text-${size})`, lineHeight: `var(--text-${size}--line-height)` };
  return (
    <State name={`text-${size}`}>
      <p style={style}>{t("ui.sentence")}</p>
    </State>
  );
}

function Word() {
  const { t } = useTranslation("dev");
  return t("ui.word");
}

function Buttons({ variant }: { variant: ButtonVariant }) {
  const { t } = useTranslation();
  const states = {
    [variant]: {},
    icon: {},
    isSmall: { isSmall: true },
    isBusy: { isBusy: true },
    disabled: { disabled: true },
  };
  return (
    <div className="flex flex-wrap gap-3">
      {Object.entries(states).map(([name, state]) => (
        <State key={name} name={name}>
          <Button type="button" variant={variant} {...state}>
            {name === "icon" && <Icon name="plus" className="size-4" />}
            {t("actions.save")}
          </Button>
        </State>
      ))}
      <State name="ButtonLink">
        <ButtonLink to="." variant={variant}>
          {t("actions.back")}
        </ButtonLink>
      </State>
    </div>
  );
}
