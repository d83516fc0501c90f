import { Spinner } from "../../ui/feedback/spinner.tsx";
import { Button, ButtonLink, type ButtonVariant } from "../../ui/forms/button.tsx";
import { Avatar, PictureOrInitials } from "../../ui/text/avatar.tsx";
import { Badge, QuietState } from "../../ui/text/badge.tsx";
import { ClockTime } from "../../ui/text/clock-time.tsx";
import { EmailText } from "../../ui/text/email-text.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { DetailTime, RelativeTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { EMAIL, NAMES, NOW } from "./samples.ts";
import type { Specimen } from "./specimen.ts";
import { Row, State, Variant } from "./specimen-frame.tsx";

const VARIANTS: ButtonVariant[] = ["primary", "secondary", "quiet", "danger"];

const TONES = {
  sunken: "border-line bg-sunken",
  accent: "border-accent-line bg-accent-fill",
  success: "border-success-line bg-success-fill",
  warning: "border-warning-line bg-warning-fill",
  danger: "border-danger-line bg-danger-fill",
};

/** Ages in minutes. A recent time is shown in words, an old one as a date. */
const AGES = { now: 0, minutes: 50, days: 5_000, older: 500_000 };

/** Small components: buttons, badges, avatars, times. */
export const ELEMENT_SPECIMENS: Record<string, Specimen> = {
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
};

function Word() {
  const { t } = useTranslation("dev");
  return t("ui.word");
}

function Buttons({ variant }: { variant: ButtonVariant }) {
  const { t } = useTranslation();
  const states = {
    button: {},
    icon: {},
    isSmall: { isSmall: true },
    isBusy: { isBusy: true },
    disabled: { disabled: true },
  };
  return (
    <Variant name={variant}>
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
    </Variant>
  );
}
