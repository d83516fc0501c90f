import { useDocument } from "../../ui/layout/document.tsx";

/** Coloured bar at the top with the environment's name, so that staging is not mistaken for production. */
export function EnvironmentBar() {
  const { bar } = useDocument().settings;
  if (!bar) return null;
  return (
    <section
      aria-label={bar.name}
      className="pointer-events-none fixed inset-x-0 top-0 z-50 h-1"
      style={{ background: bar.background }}
    >
      <span
        className="absolute start-3 top-0 rounded-b-md px-2.5 py-0.5 text-xs font-semibold uppercase ring-1 ring-white/40"
        style={{ background: bar.background, color: bar.text }}
      >
        {bar.name}
      </span>
    </section>
  );
}
