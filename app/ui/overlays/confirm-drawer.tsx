import "./confirm-drawer.css";
import { type ReactNode, useEffect, useRef } from "react";
import { Form } from "react-router";
import { useIsAsked } from "../forms/asked-intent.tsx";
import { Button, ButtonLink, type ButtonVariant, buttonClass } from "../forms/button.tsx";
import { ProofFirst } from "../forms/proof.tsx";
import { useUnsaved } from "../forms/use-unsaved.ts";
import { useCssId } from "../layout/use-css-id.ts";
import { useIsHydrated } from "../layout/use-is-hydrated.ts";
import { Icon } from "../text/icon.tsx";
import type { IconName } from "../text/icon-names.ts";
import { useTranslation } from "../text/translation.tsx";
import { makeModal } from "./modal.ts";

export type ConfirmDrawerProps = {
  trigger: ReactNode;
  /** What is about to happen, in a few words, such as "Ban 3 users". By default the trigger's text. */
  heading?: ReactNode;
  /** Id of the drawer when a menu item opens it, with `popoverTarget`; the drawer then draws no button. */
  openedById?: string;
  icon?: IconName;
  triggerClassName?: string;
  triggerVariant?: ButtonVariant;
  /** The consequences, with names and numbers. */
  text: ReactNode;
  /** Text of the button that confirms: by default the heading where it is red, else "Confirm". */
  confirm?: ReactNode;
  intent: string;
  action?: string;
  isBusy?: boolean;
  /** Makes heading and confirm button red: for a ban and for a deletion. */
  isDestructive?: boolean;
  /** True while a field inside has not the value that the confirmation needs. */
  isLocked?: boolean;
  /** True when there is nothing to confirm until a field differs from what it was filled with. */
  needsChange?: boolean;
  /** True inside a form that has several such questions. */
  isInForm?: boolean;
  /** True when the user must have proved who they are shortly before. */
  needsProof?: boolean;
  /** Receives the drawer at each opening, to read fields that may have been reset while it was closed. */
  onOpen?: (drawer: HTMLElement) => void;
  /** The answer that refused this form's fields; the drawer is then open. */
  refused?: object;
  children?: ReactNode;
};

const frameClass = "mx-auto grid max-w-md gap-4";

/** Asks before a change with consequences. It is a native popover, so it works without JavaScript. */
export function ConfirmDrawer(props: ConfirmDrawerProps) {
  const { text, intent, action, isBusy, icon, heading = props.trigger, children } = props;
  const { isInForm, isDestructive, refused } = props;
  const isOpenFirst = useIsAsked(intent) || refused !== undefined;
  const { t } = useTranslation();
  const id = useDrawerId(props.openedById);
  const drawer = useRef<HTMLDivElement>(null);
  // HTML cannot contain an open popover, so until hydration the refused form is drawn in the page.
  const isStatic = !useIsHydrated() && isOpenFirst;
  const { isUnchanged, onChange } = useNeededChange(props);
  const release = useRef<() => void>(undefined);

  // Outside React: the page behind an open drawer, also when the drawer disappears with its screen.
  useEffect(() => () => release.current?.(), []);

  // Outside React: the browser's popover, and focus. Each refusal opens it again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second refusal is another object
  useEffect(() => {
    if (isStatic || !isOpenFirst || !drawer.current) return;
    drawer.current.togglePopover(true);
    drawer.current.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [isStatic, isOpenFirst, refused]);

  const question = (
    <>
      <Heading id={`${id}-title`} icon={icon} isDestructive={isDestructive}>
        {heading}
      </Heading>
      <p id={`${id}-text`} className="text-sm text-balance text-muted">
        {text}
      </p>
      {props.needsProof && <ProofFirst intent={intent} isInForm={isInForm === true} />}
      {children}
      <div className="flex flex-wrap justify-end gap-3 pt-2 max-md:*:flex-1">
        <CancelButton drawerId={isStatic ? undefined : id} />
        <Button
          variant={isDestructive ? "danger" : "primary"}
          name="intent"
          value={intent}
          isBusy={isBusy}
          disabled={props.isLocked || isUnchanged}
        >
          {props.confirm ?? (isDestructive ? heading : t("actions.confirm"))}
        </Button>
      </div>
    </>
  );
  return (
    <>
      {!props.openedById && <Opener {...props} id={id} />}
      <div
        ref={drawer}
        id={id}
        popover={isStatic ? undefined : "auto"}
        onBeforeToggle={({ newState, target, currentTarget }) => {
          // Before the browser returns the focus to the opener, which is outside.
          if (newState === "closed" && target === currentTarget) release.current?.();
        }}
        onToggle={({ newState, target, currentTarget }) => {
          if (target !== currentTarget || newState !== "open") return;
          release.current = makeModal(currentTarget);
          props.onOpen?.(currentTarget);
        }}
        role="alertdialog"
        aria-modal="true"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        className="confirm-drawer border border-line bg-panel p-6 text-ink shadow-high"
      >
        {isInForm ? (
          <div className={frameClass}>{question}</div>
        ) : (
          <Form action={action} onChange={onChange} method="post" noValidate className={frameClass}>
            {question}
          </Form>
        )}
      </div>
    </>
  );
}

/** Returns whether a drawer that needs a change has none yet. Without JavaScript it is never known, so it is false. */
function useNeededChange({ needsChange, refused }: ConfirmDrawerProps) {
  const isHydrated = useIsHydrated();
  const { isUnsaved, handlers } = useUnsaved();
  return {
    isUnchanged: needsChange === true && isHydrated && !isUnsaved && !refused,
    // Not its `onSubmit`: after a refusal the change is still there to confirm.
    onChange: handlers.onChange,
  };
}

type HeadingProps = Pick<ConfirmDrawerProps, "icon" | "isDestructive" | "children"> & {
  id: string;
};

/** What is about to happen, in the colour of the confirm button, and the question. */
function Heading({ id, icon, isDestructive, children }: HeadingProps) {
  const { t } = useTranslation();
  const colour = isDestructive ? "text-danger" : "text-accent-ink";
  return (
    <div id={id} className="grid gap-1">
      <p className={`flex items-center gap-2 text-sm font-medium ${colour}`}>
        {icon && <Icon name={icon} className="size-4 shrink-0" />}
        <span>{children}</span>
      </p>
      <h2 className="text-lg font-semibold">{t("confirm.title")}</h2>
    </div>
  );
}

/** Closes the drawer; without an open popover it is a link to the page. */
function CancelButton({ drawerId }: { drawerId: string | undefined }) {
  const { t } = useTranslation();
  if (!drawerId) {
    return (
      <ButtonLink variant="secondary" to=".">
        {t("actions.cancel")}
      </ButtonLink>
    );
  }
  return (
    <button
      type="button"
      popoverTarget={drawerId}
      popoverTargetAction="hide"
      className={buttonClass("secondary")}
      // biome-ignore lint/a11y/noAutofocus: the safe answer is the one under the finger
      autoFocus
    >
      {t("actions.cancel")}
    </button>
  );
}

function Opener({
  id,
  trigger,
  triggerVariant = "secondary",
  triggerClassName,
  icon,
  isDestructive,
}: ConfirmDrawerProps & { id: string }) {
  const isRed = isDestructive && triggerVariant === "secondary";
  return (
    <button
      type="button"
      popoverTarget={id}
      className={buttonClass(
        triggerVariant,
        isRed && !icon ? `text-danger ${triggerClassName ?? ""}` : triggerClassName,
        true,
      )}
    >
      {icon && <Icon name={icon} className={`size-4 ${isRed ? "text-danger" : ""}`} />}
      {trigger}
    </button>
  );
}

function useDrawerId(given: string | undefined): string {
  const own = useCssId();
  return given ?? own;
}
