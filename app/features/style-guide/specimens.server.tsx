import type { ReactNode } from "react";
import { Avatar, PictureOrInitials } from "../../ui/avatar.tsx";
import { Badge, QuietState } from "../../ui/badge.tsx";
import { Button, ButtonLink, type ButtonVariant } from "../../ui/button.tsx";
import { ClockTime } from "../../ui/clock-time.tsx";
import { EmailText } from "../../ui/email-text.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ICON_NAMES } from "../../ui/icon-names.ts";
import { Logo, LogoMark } from "../../ui/logo.tsx";
import { DetailTime, RelativeTime } from "../../ui/relative-time.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { FORM_SPECIMENS } from "./form-specimens.server.tsx";
import { FRAME_SPECIMENS } from "./frame-specimens.server.tsx";
import { PART_SPECIMENS } from "./part-specimens.server.tsx";
import { EMAIL, NAMES, NOW } from "./samples.ts";
import { SCREEN_SPECIMENS } from "./screen-specimens.server.tsx";
import { State, StateName } from "./specimen-frame.tsx";

/** Draws the states of a primitive. */
export type Specimen = () => ReactNode;

/** By what they are for. */
const COLORS = {
  surface: ["page", "panel", "sunken", "raised"],
  fill: ["fill", "fill-hover", "fill-active"],
  border: ["line", "line-button", "line-strong"],
  text: ["ink", "muted", "on-accent"],
  accent: ["accent", "accent-hover", "accent-ink", "accent-fill", "accent-line"],
  danger: ["danger", "danger-solid", "danger-fill", "danger-line"],
  success: ["success", "success-fill", "success-line"],
  warning: ["warning", "warning-fill", "warning-line"],
};

const SIZES = ["xs", "sm", "base", "lg", "xl", "2xl"];

const VARIANTS: ButtonVariant[] = ["primary", "secondary", "quiet", "danger"];

const TONES = {
  sunken: "border-line bg-sunken",
  accent: "border-accent-line bg-accent-fill",
  success: "border-success-line bg-success-fill",
  warning: "border-warning-line bg-warning-fill",
  danger: "border-danger-line bg-danger-fill",
};

/** Minutes before now: what is new, in words, and what is old, as a date. */
const AGES = { now: 0, minutes: 50, days: 5_000, older: 500_000 };

/** Specimens by the name of the primitive. */
export const SPECIMENS: Record<string, Specimen> = {
  colors: () =>
    Object.entries(COLORS).map(([use, names]) => (
      <State key={use} name={use}>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-2">
          {names.map((name) => (
            <span key={name} className="grid gap-1">
              <span
                className="h-9 rounded-md border border-line"
                style={{ background: `var(--color-${name})` }}
              />
              <StateName>{name}</StateName>
            </span>
          ))}
        </div>
      </State>
    )),
  type: () => (
    <div className="grid gap-2">
      {SIZES.map((size) => (
        <Sentence key={size} size={size} />
      ))}
    </div>
  ),
  logo: () => (
    <Row>
      <State name="Logo">
        <Logo />
      </State>
      <State name="LogoMark">
        <LogoMark />
      </State>
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
      {Object.entries(TONES).map(([name, tone]) => (
        <State key={name} name={name}>
          <Badge tone={tone}>
            <Word />
          </Badge>
        </State>
      ))}
      <State name="QuietState">
        <QuietState>
          <Word />
        </QuietState>
      </State>
    </Row>
  ),
  avatar: () => (
    <Row>
      <State name="initials">
        <div className="flex gap-2">
          {NAMES.map((name) => (
            <Avatar key={name} name={name} email={name} avatar={null} />
          ))}
        </div>
      </State>
      <State name="picture">
        <PictureOrInitials name="Lina" hueSource="lina" src="/icon-180.png" />
      </State>
      <State name="isSquare">
        <PictureOrInitials name="Nyumbani" hueSource="nyumbani" src={null} isSquare />
      </State>
      <State name="lg">
        <Avatar name="Lina Haddad" email={EMAIL} avatar={null} size="lg" />
      </State>
      <State name="lg, isSquare">
        <PictureOrInitials name="Nyumbani" hueSource="nyumbani" src={null} size="lg" isSquare />
      </State>
    </Row>
  ),
  "email-text": () => (
    <p className="w-42 rounded-md border border-dashed border-line-strong p-1">
      <EmailText>lina.haddad.el-amrani@mail.example.com</EmailText>
    </p>
  ),
  "relative-time": () => (
    <Row>
      {Object.entries(AGES).map(([name, minutes]) => (
        <State key={name} name={name}>
          <RelativeTime date={new Date(NOW.getTime() - minutes * 60_000)} now={NOW} />
        </State>
      ))}
      <State name="DetailTime">
        <DetailTime date={new Date("2026-03-12T14:03:00Z")} now={NOW} />
      </State>
      <State name="ClockTime">
        <ClockTime date={NOW} />
      </State>
    </Row>
  ),
  spinner: () => <Spinner />,
  ...FORM_SPECIMENS,
  ...SCREEN_SPECIMENS,
  ...PART_SPECIMENS,
  ...FRAME_SPECIMENS,
};

function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap gap-x-6 gap-y-4">{children}</div>;
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
    <div className="grid grid-cols-[repeat(auto-fill,minmax(7rem,1fr))] justify-items-start gap-3">
      {Object.entries(states).map(([name, state]) => (
        <State key={name} name={name}>
          <div className="flex min-h-11 items-center">
            <Button type="button" variant={variant} {...state}>
              {name === "icon" && (
                <Icon name={variant === "danger" ? "trash-2" : "plus"} className="size-4" />
              )}
              {variant === "danger" ? t("actions.delete") : t("actions.save")}
            </Button>
          </div>
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
