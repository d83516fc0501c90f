import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import type { ThemeChoice } from "../forms/theme-choice.ts";

/** An impersonation: the user, whose name may be empty, the manager's name and the seconds left. */
export type Impersonation = { name: string; email: string; manager: string; secondsLeft: number };

/** A logo with its URL, its MIME type and its size in pixels. */
export type ShownLogo = { src: string; type: string; width: number; height: number };

export type ShownBrand = {
  /** The name in the page's language. */
  name: string;
  /** CSS of an accent that is not the stylesheets' own. */
  accentStyles: string | null;
  /** The logo for each theme; null for the gate. */
  logo: { light: ShownLogo; dark: ShownLogo } | null;
  /** URL of the picture of the sign-in pages. */
  loginPicture: string | null;
  /** Icons made of the logo, or of the gate in the brand's accent. */
  icons: { page: ShownLogo; touch: ShownLogo } | null;
  helpUrl: string | null;
  supportUrl: string | null;
};

/**
 * Settings of the document. The request sets them and no loader, because error pages are drawn when no loader has run.
 * The server passes them to the browser in an attribute of `<html>`.
 */
export type DocumentSettings = {
  theme: ThemeChoice;
  titlePrefix: string;
  bar: { name: string; background: string; text: string } | null;
  brand: ShownBrand;
  isDemo: boolean;
  /** The impersonation of this session. The root loader's data replaces it when that has run. */
  impersonation: Impersonation | null;
  version: string;
  /** URLs of the document language's translations, by namespace. */
  translationFiles: Record<string, string>;
};

type DocumentContextValue = {
  settings: DocumentSettings;
  nonce: string | undefined;
  /** The current theme: the request's, or the one chosen or found in storage since. */
  theme: ThemeChoice;
  setTheme: (theme: ThemeChoice) => void;
  /** Replaces the brand, after a change of it. */
  setBrand: (brand: ShownBrand) => void;
};

const DocumentContext = createContext<DocumentContextValue | undefined>(undefined);

type DocumentProviderProps = {
  settings: DocumentSettings;
  /** Only on the server, because browsers hide nonces from scripts. */
  nonce?: string;
  children: ReactNode;
};

export function DocumentProvider({ settings, nonce, children }: DocumentProviderProps) {
  const [theme, setTheme] = useState(settings.theme);
  const [brand, setBrand] = useState(settings.brand);
  const value = useMemo(
    () => ({ settings: { ...settings, brand }, nonce, theme, setTheme, setBrand }),
    [settings, brand, nonce, theme],
  );
  return <DocumentContext value={value}>{children}</DocumentContext>;
}

export function useDocument(): DocumentContextValue {
  const value = useContext(DocumentContext);
  if (!value) throw new Error("useDocument needs a DocumentProvider around it");
  return value;
}

/** Title of the document: environment prefix, screen, product. */
export function ScreenTitle({ children }: { children: string }) {
  const { titlePrefix, brand } = useDocument().settings;
  return <title>{`${titlePrefix}${children} · ${brand.name}`}</title>;
}
