import { useEffect, useRef } from "react";
import { useDocument } from "../../../ui/layout/document.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { CAPTCHA_ACTION } from "../codes/code.ts";

const SCRIPT = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

type Turnstile = {
  render: (
    element: HTMLElement,
    options: {
      sitekey: string;
      action: string;
      theme: "light" | "dark" | "auto";
      language: string;
      size: "flexible";
    },
  ) => string | undefined;
  remove: (id: string) => void;
};

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface merges with the browser's own
  interface Window {
    turnstile?: Turnstile;
  }
}

/** Cloudflare Turnstile. It needs JavaScript; without it the form shows a notice. */
export default function Captcha({ siteKey }: { siteKey: string }) {
  const { t, i18n } = useTranslation("login");
  const { theme } = useDocument();
  const box = useRef<HTMLDivElement>(null);

  // Outside React: the widget and its script.
  useEffect(() => {
    let id: string | undefined;
    let isGone = false;
    loadTurnstile().then((turnstile) => {
      if (isGone || !box.current) return;
      id = turnstile.render(box.current, {
        sitekey: siteKey,
        action: CAPTCHA_ACTION,
        theme: theme === "system" ? "auto" : theme,
        language: i18n.language,
        size: "flexible",
      });
    }, reportNothing);
    return () => {
      isGone = true;
      if (id) window.turnstile?.remove(id);
    };
  }, [siteKey, theme, i18n.language]);

  return (
    <>
      <div ref={box} className="min-h-[65px]" />
      <noscript>
        <p className="text-sm text-danger">{t("captchaNeedsScript")}</p>
      </noscript>
    </>
  );
}

/** The server refuses a form without the widget's token and shows its own message, so nothing is shown here. */
function reportNothing() {}

let loading: Promise<Turnstile> | undefined;

function loadTurnstile(): Promise<Turnstile> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = SCRIPT;
    script.onload = () =>
      window.turnstile ? resolve(window.turnstile) : reject(new Error("No Turnstile"));
    script.onerror = () => {
      loading = undefined;
      reject(new Error("Turnstile did not load"));
    };
    document.head.appendChild(script);
  });
  return loading;
}
