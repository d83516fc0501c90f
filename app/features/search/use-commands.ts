import { href, useNavigate, useSubmit } from "react-router";

export type Command = { kind: "go"; path: string } | { kind: "sign-out" } | { kind: "shortcuts" };

/** Runs commands in the same way as the links and forms of the screens. */
export function useCommands() {
  const navigate = useNavigate();
  const submit = useSubmit();

  return (command: Exclude<Command, { kind: "shortcuts" }>): void => {
    switch (command.kind) {
      case "go":
        void navigate(command.path);
        break;
      case "sign-out":
        void submit(null, { method: "post", action: href("/sign-out") });
    }
  };
}
