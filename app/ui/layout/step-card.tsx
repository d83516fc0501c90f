import type { ReactNode } from "react";
import { Link } from "react-router";
import { StepPicture, type StepPictureName } from "./step-picture.tsx";

type StepCardProps = {
  to: string;
  picture: StepPictureName;
  title: string;
  /** Its purpose, in a sentence. */
  children: ReactNode;
  /** True for what a browser without JavaScript cannot do. */
  needsScript?: boolean;
};

/**
 * List item that offers a next step: a picture, what to do, and why. The whole card is the link.
 */
export function StepCard({ to, picture, title, children, needsScript = false }: StepCardProps) {
  return (
    <li
      className={`relative grid content-start gap-1 rounded-md border border-line bg-panel p-4 text-sm shadow-low transition-colors duration-150 hover:border-line-strong sm:p-6 ${needsScript ? "[@media(scripting:none)]:hidden" : ""}`}
    >
      <StepPicture name={picture} />
      <Link
        to={to}
        prefetch="intent"
        className="mt-2 font-semibold after:absolute after:inset-0 after:rounded-md"
      >
        {title}
      </Link>
      <p className="text-muted">{children}</p>
    </li>
  );
}

/** The next steps of a start page; nothing when there are none. */
export function StepCards({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="grid gap-4 empty:hidden sm:grid-cols-2 xl:grid-cols-3">
      {children}
    </ul>
  );
}
