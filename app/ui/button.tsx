import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { Link, type LinkProps } from "react-router";
import { Spinner } from "./spinner.tsx";

const VARIANTS = {
  primary:
    "bg-accent text-on-accent not-disabled:hover:bg-accent-hover not-disabled:active:bg-accent-hover border border-transparent",
  secondary:
    "bg-panel text-ink border border-line-button not-disabled:hover:bg-fill not-disabled:active:bg-fill-hover shadow-low",
  quiet:
    "text-ink border border-transparent not-disabled:hover:bg-fill not-disabled:active:bg-fill-hover",
  danger:
    "bg-danger-solid text-on-accent border border-transparent not-disabled:hover:brightness-95 not-disabled:active:brightness-90",
} as const;

export type ButtonVariant = keyof typeof VARIANTS;

/** Classes of a button, also for links that look like one. A small one is for toolbars and inside panels. */
export function buttonClass(
  variant: ButtonVariant = "primary",
  className = "",
  isSmall = false,
): string {
  const size = isSmall ? "min-h-control min-w-control px-3 py-1" : "min-h-11 px-4 py-2";
  return `inline-flex ${size} items-center justify-center gap-2 rounded-md text-sm font-medium transition-colors duration-150 select-none disabled:opacity-60 disabled:cursor-not-allowed aria-busy:cursor-progress ${VARIANTS[variant]} ${className}`;
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
