import { href, useFetcher, useNavigate, useSubmit } from "react-router";
import type { Language } from "../../i18n/languages.ts";
import type { ThemeChoice } from "../../ui/forms/theme-choice.ts";
import { useDocument } from "../../ui/layout/document.tsx";

/** The action of a palette entry. */
export type Command =
  | { kind: "go"; path: string }
  | { kind: "language"; value: Language }
  | { kind: "theme"; value: ThemeChoice }
  | { kind: "sign-out" }
  | { kind: "shortcuts" };

/** Runs commands in the same way as the links and forms of the screens. */
export function useCommands(here: string) {
  const navigate = useNavigate();
  const submit = useSubmit();
  const fetcher = useFetcher();
  const { setTheme } = useDocument();

  return (command: Exclude<Command, { kind: "shortcuts" }>): void => {
    switch (command.kind) {
      case "go":
        void navigate(command.path);
        break;
      case "language":
        postForDocument(href("/preferences"), {
          intent: "language",
          value: command.value,
          back: here,
        });
        break;
      case "theme":
        setTheme(command.value);
        void fetcher.submit(
          { intent: "theme", value: command.value, back: here },
          { method: "post", action: href("/preferences") },
        );
        break;
      case "sign-out":
        void submit(null, { method: "post", action: href("/sign-out") });
    }
  };
}

/** Posts a form and loads a new document, because a new language changes every text, direction and size at once. */
function postForDocument(action: string, fields: Record<string, string>): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = action;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    input.value = value;
    form.appendChild(input);
  }
  document.body.appendChild(form);
  form.submit();
  form.remove();
}
