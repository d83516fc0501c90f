import type { ReactNode } from "react";
import { useTranslation } from "../../ui/text/translation.tsx";
import { idOf, type SpecimenGroup, windowsOf } from "./specimen.ts";

/** A group of primitives below its title. Lists are as wide as the page; the others stand in two columns. */
export function GroupFrame({ name, specimens }: SpecimenGroup) {
  const { t } = useTranslation("dev");
  return (
    <section className="grid grid-cols-1 gap-4 not-first-of-type:mt-4">
      <h2 className="text-lg font-semibold">{t(`ui.groups.${name}`)}</h2>
      <div className={`gap-6 ${name === "lists" ? "" : "lg:columns-2"}`}>
        {Object.entries(specimens).map(([primitive, draw]) => (
          <SpecimenFrame key={primitive} name={primitive}>
            {draw()}
          </SpecimenFrame>
        ))}
      </div>
    </section>
  );
}

/** A primitive's name, and its states in a frame. */
function SpecimenFrame({ name, children }: { name: string; children: ReactNode }) {
  return (
    <article
      id={idOf(name)}
      className={`grid scroll-mt-6 break-inside-avoid grid-cols-1 gap-2 pb-6 ${windowsOf(name)}`}
    >
      {/* Of the group's level, because a screen's own title may stand below it. */}
      <h2 className="font-mono text-sm font-semibold" translate="no">
        <bdi dir="ltr">{name}</bdi>
      </h2>
      <div className="grid gap-4 rounded-md border border-line p-4">{children}</div>
    </article>
  );
}

/** States beside each other. */
export function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap gap-x-6 gap-y-4">{children}</div>;
}

/** One state of a primitive, below its name. */
export function State({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-1">
      <StateName>{name}</StateName>
      {children}
    </div>
  );
}

/** States of one variant, below its name. */
export function Variant({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-2 not-first:mt-2">
      <StateName className="font-semibold">{name}</StateName>
      {children}
    </div>
  );
}

type StateNameProps = { className?: string; children: string };

/** The name of a state, as the code writes it. */
export function StateName({ className = "text-muted", children }: StateNameProps) {
  return (
    <span className={`font-mono text-xs ${className}`} translate="no">
      <bdi dir="ltr">{children}</bdi>
    </span>
  );
}

type FixedFrameProps = {
  height: string;
  className?: string;
  children: ReactNode;
};

/** Keeps what is fixed to the window inside its frame. */
export function FixedFrame({ height, className, children }: FixedFrameProps) {
  return (
    <div className={className} style={{ contain: "paint", blockSize: height }}>
      {children}
    </div>
  );
}

/**
 * Shows the panels inside open, in the page instead of the browser's top layer, and their buttons pressed. It reaches to the line around the
 * specimen, so that it does not cut their shadows.
 */
export function OpenFrame({ className = "", ...frame }: FixedFrameProps) {
  return (
    <FixedFrame
      {...frame}
      className={`-m-4 rounded-md p-4 [&_.menu-panel]:block [&_:is(.menu-button,.icon-button)]:bg-fill [&_:is(.menu-button,.icon-button)]:text-ink ${className}`}
    />
  );
}
