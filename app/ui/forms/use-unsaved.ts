import { type FormEvent, useState } from "react";

/** Returns whether a form has values that differ from what it was filled with, and the handlers that the form needs. */
export function useUnsaved() {
  const [isUnsaved, setIsUnsaved] = useState(false);
  return {
    isUnsaved,
    handlers: {
      onChange: ({ currentTarget }: FormEvent<HTMLFormElement>) =>
        setIsUnsaved([...currentTarget.elements].some(isChanged)),
      onSubmit: () => setIsUnsaved(false),
    },
  };
}

function isChanged(element: Element): boolean {
  if (element instanceof HTMLTextAreaElement) return element.value !== element.defaultValue;
  if (element instanceof HTMLSelectElement) {
    return [...element.options].some((option) => option.selected !== option.defaultSelected);
  }
  if (!(element instanceof HTMLInputElement)) return false;
  return element.checked !== element.defaultChecked || element.value !== element.defaultValue;
}
