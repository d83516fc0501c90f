import type { ReactNode } from "react";
import { Panel } from "../layout/panel.tsx";
import { ButtonLink } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { TextField } from "./field.tsx";

type NewSecretProps = {
  title: string;
  label: string;
  hint: string;
  /** Texts of the button that copies it, and of the link to the page without it. */
  copy: string;
  done: string;
  to: string;
  secret: string;
  /** Next steps with it, such as a first call. */
  children?: ReactNode;
};

/** A secret that has just been made. It is shown this once, in the answer that made it. */
export function NewSecret(props: NewSecretProps) {
  const { title, label, hint, copy, done, to, secret, children } = props;
  return (
    <Panel title={title}>
      <TextField
        name="secret"
        label={label}
        hint={hint}
        errors={undefined}
        className="input font-mono text-sm"
        dir="ltr"
        value={secret}
        readOnly
        autoFocus
        autoComplete="off"
        spellCheck={false}
      />
      <div className="flex flex-wrap gap-3">
        <CopyButton text={secret} label={copy} />
        <ButtonLink variant="secondary" isSmall to={to} replace>
          {done}
        </ButtonLink>
      </div>
      {children}
    </Panel>
  );
}
