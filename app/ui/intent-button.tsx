import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button, type ButtonVariant } from "./button.tsx";

type IntentButtonProps = {
  /** What the form asks the screen's action to do. */
  intent: string;
  variant?: ButtonVariant;
  children: ReactNode;
};

/** A form of one button, for a change that needs no confirmation. */
export function IntentButton({ intent, variant = "secondary", children }: IntentButtonProps) {
  return (
    <Form method="post">
      <Button variant={variant} isSmall name="intent" value={intent}>
        {children}
      </Button>
    </Form>
  );
}
