import { useEffect } from "react";
import { Form, href, useRevalidator } from "react-router";
import { buttonClass } from "../../../ui/forms/button.tsx";
import { type Impersonation, useDocument } from "../../../ui/layout/document.tsx";
import { EmailText } from "../../../ui/text/email-text.tsx";
import { Icon } from "../../../ui/text/icon.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { WithWholeValue } from "../../../ui/text/with-whole-value.tsx";
import { useSecondsLeft } from "../codes/use-seconds-left.ts";

/** Banner on every page of an impersonation: the user, the manager, the remaining time, and the stop button. */
export default function ImpersonationBanner(props: Impersonation) {
  const { name, email, manager, secondsLeft } = props;
  const { t } = useTranslation();
  const { bar } = useDocument().settings;
  const { revalidate } = useRevalidator();
  const seconds = useSecondsLeft(secondsLeft, secondsLeft);
  const notice = (user: string) =>
    t("impersonation.notice", { manager: isolate(manager), name: user });

  // Outside React: the server, which redirects to the manager's session after the hour.
  useEffect(() => {
    if (seconds === 0) void revalidate();
  }, [seconds, revalidate]);

  return (
    // Its padding puts the content at the edges of the app's pages, or of a page that has only a main part.
    <section
      aria-label={t("impersonation.label")}
      className={`impersonation sticky top-0 z-40 flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-warning-line bg-warning-fill px-[max(1rem,calc(50%-35rem))] py-2 text-sm text-ink has-[~main]:px-4.5 ${bar ? "pt-4" : ""}`}
    >
      <Icon name="user-round-check" className="size-5 shrink-0 text-warning" />
      {/* A user without a name is named by the e-mail, which does not wrap well: on a phone the button has its own line. */}
      <p className={`min-w-0 grow ${name ? "basis-36" : "basis-60"}`}>
        <strong role="status" className="font-medium">
          {name ? (
            notice(isolate(name))
          ) : (
            <WithWholeValue text={notice}>
              <EmailText>{email}</EmailText>
            </WithWholeValue>
          )}
        </strong>{" "}
        <span className="inline-block text-muted">
          {t("impersonation.minutesLeft", { count: Math.ceil(seconds / 60) })}
        </span>
      </p>
      <Form
        method="post"
        action={href("/stop-impersonating")}
        className={`ms-auto ${name ? "" : "max-sm:w-full"}`}
      >
        <button
          type="submit"
          className={buttonClass("secondary", name ? "" : "max-sm:w-full", true)}
        >
          {t("impersonation.stop")}
        </button>
      </Form>
    </section>
  );
}
