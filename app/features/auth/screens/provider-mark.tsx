import { Icon } from "../../../ui/text/icon.tsx";

/** A provider's logo; a key icon for a provider without one. */
export function ProviderMark({ id, className }: { id: string; className: string }) {
  return (
    <Icon name={id === "google" || id === "github" ? id : "key-round"} className={className} />
  );
}
