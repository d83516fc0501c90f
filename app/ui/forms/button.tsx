import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { Link, type LinkProps } from "react-router";
import { Spinner } from "../feedback/spinner.tsx";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";

/** Written out, so that Tailwind finds them. */
const VARIANTS: Record<ButtonVariant, string> = {
  primary: "button-primary",
  secondary: "button-secondary",
  quiet: "button-quiet",
  danger: "button-danger",
};

/** Classes of a button, also for links that look like one. A small one is for toolbars and inside panels. */
export function buttonClass(
  variant: ButtonVariant = "primary",
  className = "",
  isSmall = false,
): string {
  return ["button", isSmall && "button-small", VARIANTS[variant], className]
    .filter(Boolean)
    .join(" ");
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: ButtonVariant;
  isSmall?: boolean;
  /** While busy the button keeps its size and its focus, and cannot be pressed again. */
  isBusy?: boolean;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
};

export function Button({
  variant,
  isSmall,
  isBusy = false,
  className,
  children,
  type = "submit",
  onClick,
  ...props
}: ButtonProps) {
  return (
    <button
      type={type}
      className={buttonClass(variant, className, isSmall)}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
      {...props}
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  );
}

type ButtonLinkProps = LinkProps & { variant?: ButtonVariant; isSmall?: boolean };

export function ButtonLink({ variant, isSmall, className, ...props }: ButtonLinkProps) {
  return <Link className={buttonClass(variant, className, isSmall)} {...props} />;
}
