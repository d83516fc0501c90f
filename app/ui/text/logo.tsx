import { type ShownLogo, useDocument } from "../layout/document.tsx";

/** The default logo, an open gate: its wall and its opening, in a square of 32. */
export const GATE_PATHS = [
  "M3 30V15C3 7.8 8.8 2 16 2s13 5.8 13 13v15z",
  "M10 30V16a6 6 0 0 1 12 0v14z",
] as const;

/** The default logo. */
export function LogoMark({ className = "size-7" }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <path d={GATE_PATHS[0]} fill="var(--color-accent)" />
      <path d={GATE_PATHS[1]} fill="#fff" />
    </svg>
  );
}

/** A logo in its own shape, as high as `className` says and not wider than it says. */
function LogoImage({ logo, className }: { logo: ShownLogo; className: string }) {
  return (
    <img
      alt=""
      src={logo.src}
      width={logo.width}
      height={logo.height}
      className={`shrink-0 object-contain ${className}`}
    />
  );
}

/** The brand's own logo, in its own shape, or the gate. */
export function BrandMark({ className = "h-7 w-auto max-w-40" }: { className?: string }) {
  const { logo } = useDocument().settings.brand;
  if (!logo) return <LogoMark className={`shrink-0 ${className}`} />;
  return (
    <>
      <LogoImage logo={logo.light} className={`for-light ${className}`} />
      <LogoImage logo={logo.dark} className={`for-dark ${className}`} />
    </>
  );
}

/** True for a logo that has the name in it, as word marks do. */
export function isWordMark({ width, height }: { width: number; height: number }): boolean {
  return width > 2 * height;
}

/** The logo, and beside it the name as far as there is room. A word mark shows the name itself. */
export function Logo() {
  const { name, logo } = useDocument().settings.brand;
  return (
    <span className="inline-flex h-7 min-w-0 items-center gap-2 leading-7 font-semibold tracking-tight">
      <BrandMark />
      <bdi className={logo && isWordMark(logo.light) ? "sr-only" : "truncate"}>{name}</bdi>
    </span>
  );
}
