import { type ShownLogo, useDocument } from "../layout/document.tsx";

/** The default logo: a gate with six bars. */
export function LogoMark({ className = "size-7" }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <path d="M3 30V15C3 7.8 8.8 2 16 2s13 5.8 13 13v15z" fill="var(--color-accent)" />
      <path
        d="M9 29V15m4.7 14V12m4.6 17V12M23 29V15"
        stroke="#fff"
        strokeWidth="2"
        strokeLinecap="round"
        fill="none"
      />
      <path d="M6 20.5h20" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}

/** A logo in its own shape, as high as `className` says and not wider than it says. */
export function LogoImage({ logo, className }: { logo: ShownLogo; className: string }) {
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
export function BrandMark({ className = "h-7 w-auto max-w-24" }: { className?: string }) {
  const { logo } = useDocument().settings.brand;
  if (!logo) return <LogoMark className={className} />;
  return (
    <>
      <LogoImage logo={logo.light} className={`for-light ${className}`} />
      <LogoImage logo={logo.dark} className={`for-dark ${className}`} />
    </>
  );
}

/** The logo and the product name. When there is no room for both, the name wraps below the visible part. */
export function Logo() {
  const { name } = useDocument().settings.brand;
  return (
    <span className="inline-flex h-7 min-w-7 flex-wrap items-center gap-x-2 overflow-hidden leading-7 font-semibold tracking-tight whitespace-nowrap">
      <BrandMark />
      <bdi>{name}</bdi>
    </span>
  );
}
