let field: HTMLInputElement | undefined;

/**
 * Lets Enter in a list's search focus the first row, where another Enter opens it. Returns a
 * function that ends this.
 */
export function enterFinds(): () => void {
  document.addEventListener("keydown", onKey);
  const changes = new MutationObserver(find);
  changes.observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ["aria-busy"],
  });
  return () => {
    document.removeEventListener("keydown", onKey);
    changes.disconnect();
  };
}

function onKey(event: KeyboardEvent): void {
  const { target, key, isComposing } = event;
  const isAsked = key === "Enter" && !isComposing && target instanceof HTMLInputElement;
  field = isAsked && target.matches('main [role="search"] [type="search"]') ? target : undefined;
  if (!field) return;
  find();
  // The rows were there already.
  if (!field) event.preventDefault();
}

/** Focuses the first row once the list shows what the field asks for. */
function find(): void {
  if (!field || document.activeElement !== field) return;
  const shown = new URLSearchParams(location.search).get(field.name) ?? "";
  if (shown.trim() !== field.value.trim()) return;
  if (document.querySelector('main [aria-busy="true"]')) return;
  const row = document.querySelector<HTMLElement>("main tbody a[href]");
  field = undefined;
  row?.focus();
}
