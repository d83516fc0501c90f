import { Closable, ClosableLink } from "../../ui/feedback/closed.tsx";
import { buttonClass } from "../../ui/forms/button.tsx";
import { CopyButton, CopyIcon } from "../../ui/forms/copy-button.tsx";
import { ProofLink } from "../../ui/forms/proof.tsx";
import { Disclosure } from "../../ui/layout/disclosure.tsx";
import { SwitchAccount } from "../../ui/layout/switch-account.tsx";
import { Dotted } from "../../ui/text/dotted.tsx";
import { IconDisc } from "../../ui/text/icon-disc.tsx";
import { SessionFacts } from "../../ui/text/session-facts.tsx";
import { ShortLink } from "../../ui/text/short-link.tsx";
import { StateDisc } from "../../ui/text/state-disc.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { WithWholeValue } from "../../ui/text/with-whole-value.tsx";
import { EMAIL, NOW } from "./samples.ts";
import type { Specimen } from "./specimen.ts";
import { Row, State } from "./specimen-frame.tsx";

/** Smaller parts, which screens put together. */
export const PART_SPECIMENS: Record<string, Specimen> = {
  "copy-button": () => <Copies />,
  disclosure: () => <Folded />,
  "session-facts": () => <Sessions />,
  dotted: () => <Dots />,
  "icon-disc": () => (
    <Row>
      <State name="icon-disc">
        <IconDisc name="key-round" />
      </State>
      <State name="isSevere">
        <IconDisc name="ban" isSevere />
      </State>
    </Row>
  ),
  "state-disc": () => (
    <Row>
      <State name="success">
        <StateDisc name="check" tone="success" />
      </State>
      <State name="danger">
        <StateDisc name="clock" tone="danger" />
      </State>
    </Row>
  ),
  "short-link": () => <ShortLink link="https://git.example.com/gatehouse/" />,
  "with-whole-value": () => <Sentence />,
  closed: () => <Closed />,
  proof: () => (
    <div>
      <ProofLink />
    </div>
  ),
  "switch-account": () => (
    <div className="flex">
      <SwitchAccount next="/dev/ui" variant="secondary" />
    </div>
  ),
};

function Folded() {
  const { t } = useTranslation("dev");
  return (
    <Disclosure title={t("ui.word")}>
      <p>{t("ui.sentence")}</p>
    </Disclosure>
  );
}

function Sessions() {
  const session = {
    place: "KE",
    ipAddress: "203.0.113.7",
    createdAt: new Date("2026-11-18T08:00:00Z"),
    lastSeenAt: new Date("2026-11-21T20:00:00Z"),
  };
  return (
    <>
      <State name="session">
        <SessionFacts session={session} now={NOW} />
      </State>
      <State name="isThisOne">
        <SessionFacts session={session} isThisOne now={NOW} />
      </State>
    </>
  );
}

function Dots() {
  const { t } = useTranslation("dev");
  return (
    <p>
      <Dotted>
        <span>{t("ui.word")}</span>
        <span>{t("ui.title")}</span>
        <span>{t("mails.title")}</span>
      </Dotted>
    </p>
  );
}

function Sentence() {
  const { t } = useTranslation("dev");
  return (
    <p className="max-w-60">
      <WithWholeValue text={(value) => `${t("ui.sentence")} ${value}.`}>
        <bdi className="font-semibold">{EMAIL}</bdi>
      </WithWholeValue>
    </p>
  );
}

function Closed() {
  const { t } = useTranslation();
  return (
    <Row>
      {[false, true].map((isClosed) => (
        <State key={String(isClosed)} name={isClosed ? "isClosed" : "open"}>
          <Closable isClosed={isClosed}>
            <ClosableLink to="." className={buttonClass("secondary")}>
              {t("actions.edit")}
            </ClosableLink>
          </Closable>
        </State>
      ))}
    </Row>
  );
}

function Copies() {
  const { t } = useTranslation();
  return (
    <Row>
      <State name="CopyButton">
        <div className="flex min-h-11 items-center">
          <CopyButton text={EMAIL} label={t("list.copyId")} />
        </div>
      </State>
      <State name="CopyIcon">
        <div className="flex min-h-11 items-center">
          <CopyIcon text={EMAIL} label={t("list.copyId")} />
        </div>
      </State>
    </Row>
  );
}
