import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import type { ThemeChoice } from "./theme.ts";

/** A manager acts as a person, for so long still. */
export type Impersonation = { name: string; manager: string; secondsLeft: number };

/**
 * What the document itself needs: settled by the request and not by any loader, because error pages are drawn when
 * no loader has run. The server hands it to the browser in an attribute of `<html>`.
 */
export type DocumentSettings = {
  theme: ThemeChoice;
  titlePrefix: string;
  bar: { name: string; background: string; text: string } | null;
  isDemo: boolean;
  /** The impersonation of this session. The data of the root's loader replaces it where that has run. */
  impersonation: Impersonation | null;
  version: string;
  /** Where the sentences of the document's language are fetched, by namespace. */
  sentenceFiles: Record<string, string>;
  /** Whether the page carries its styles with it rather than naming their file. */
  hasStyles: boolean;
};

type DocumentContextValue = {
  settings: DocumentSettings;
  nonce: string | undefined;
  styles: string | undefined;
  /** The theme as it stands: the request's, or what was chosen or found in storage since. */
  theme: ThemeChoice;
  setTheme: (theme: ThemeChoice) => void;
};

const DocumentContext = createContext<DocumentContextValue | undefined>(undefined);

type DocumentProviderProps = {
  settings: DocumentSettings;
  /** Known to the server only: browsers hide nonces from scripts. */
  nonce?: string;
  /** The server's too: the text of the stylesheet, where the page carries it. */
  styles?: string;
  children: ReactNode;
};

export function DocumentProvider({ settings, nonce, styles, children }: DocumentProviderProps) {
  const [theme, setTheme] = useState(settings.theme);
  const value = useMemo(
    () => ({ settings, nonce, styles, theme, setTheme }),
    [settings, nonce, styles, theme],
  );
  return <DocumentContext value={value}>{children}</DocumentContext>;
}

export function useDocument(): DocumentContextValue {
  const value = useContext(DocumentContext);
  if (!value) throw new Error("useDocument needs a DocumentProvider around it");
  return value;
}

/** The document's title: environment prefix, screen, product. */
export function ScreenTitle({ children }: { children: string }) {
  const { titlePrefix } = useDocument().settings;
  return <title>{`${titlePrefix}${children} · Gatehouse`}</title>;
}
