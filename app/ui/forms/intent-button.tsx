import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button } from "./button.tsx";

type IntentButtonProps = {
  /** What the form asks the screen's action to do. */
  intent: string;
  children: ReactNode;
};

/** A form of one button, for a change that needs no confirmation. */
export function IntentButton({ intent, children }: IntentButtonProps) {
  return (
    <Form method="post">
      <Button variant="secondary" isSmall name="intent" value={intent}>
        {children}
      </Button>
    </Form>
  );
}
