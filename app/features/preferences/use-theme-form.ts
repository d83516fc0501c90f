import type { SubmitEvent } from "react";
import { sendForm } from "../../http/lost-network.ts";
import { isThemeChoice } from "../../ui/forms/theme-choice.ts";
import { useDocument } from "../../ui/layout/document.tsx";
import { postTheme } from "./post-theme.ts";

/** Returns what sends a form whose buttons are themes: the page changes at once, and the server keeps the choice. */
export function useThemeForm() {
  const { setTheme } = useDocument();
  return (event: SubmitEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent;
    const theme = submitter instanceof HTMLButtonElement ? submitter.value : "";
    if (!isThemeChoice(theme)) return;
    event.preventDefault();
    setTheme(theme);
    void sendForm({ serverAction: () => postTheme(theme) });
  };
}
