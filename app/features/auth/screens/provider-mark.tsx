import { Icon } from "../../../ui/text/icon.tsx";

const LOGOS = ["apple", "github", "google", "microsoft"] as const;

/** A provider's logo; a key icon for a provider without one. */
export function ProviderMark({ id, className }: { id: string; className: string }) {
  return <Icon name={LOGOS.find((logo) => logo === id) ?? "key-round"} className={className} />;
}
