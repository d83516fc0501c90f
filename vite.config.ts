import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { joinedTexts } from "./scripts/join-texts.ts";
import { newVersion } from "./scripts/version.ts";

/** Settings that `npm run dev` gives with `--port` and `--weather`. */
const GIVEN = ["BASE_URL", "WEATHER", "RESEND_API_KEY", "RESEND_BASE_URL"];

/** `Features.DirSelector` of Lightning CSS, which minifies the styles. */
const DIR_SELECTOR = 4;

export default defineConfig(({ command }) => ({
  plugins: [
    cloudflare({
      viteEnvironment: { name: "ssr" },
      config: {
        // wrangler.toml names what the build makes, for uploads.
        main:
          command === "serve" && process.env.WEATHER
            ? "./scripts/weather/dev-entry.js"
            : "./app/entry.worker.ts",
        // Without them `.dev.vars` decides.
        ...(command === "serve" ? { vars: givenSettings() } : {}),
      },
    }),
    tailwindcss(),
    reactRouter(),
    joinedTexts(),
  ],
  clearScreen: false,
  // `:dir()` stays: as a list of languages it would not know the direction of a single name.
  css: { lightningcss: { exclude: DIR_SELECTOR } },
  // scripts/build.ts names the build, to compare it with what a site runs.
  define: { __BUILD__: process.env.GATEHOUSE_BUILD ?? JSON.stringify(newVersion()) },
  build: {
    // Locale files keep a URL each, so that a page loads its own language only.
    assetsInlineLimit: 0,
    target: "es2022",
  },
  environments: {
    // The upload is smaller and the isolate starts sooner; source maps keep stack traces readable.
    ssr: { build: { minify: true } },
    client: {
      build: {
        rolldownOptions: {
          output: {
            // A page of 20 small files waits 20 times on a bad network, so the modules of every page share one file.
            codeSplitting: {
              groups: [
                {
                  name: "framework",
                  test: /node_modules[\\/](react|react-dom|react-router|scheduler|i18next|react-i18next)[\\/]/,
                },
                {
                  // Our modules that every page needs, also the login pages. Modules of only some pages stay out.
                  name: "shared",
                  test: /[\\/]app[\\/](i18n[\\/](?!formats|money)|http[\\/]lost-network|features[\\/]site-settings[\\/]terms-links|features[\\/]preferences[\\/](?!preference-choices)|features[\\/]auth[\\/]screens[\\/](gate|captcha-slot|provider-mark|session-watch)|features[\\/]passkeys[\\/]passkey-support|ui[\\/]\w+[\\/](around-values|isolate|button|document|field|form-errors|icon(?!-)|logo|menu(?!-)|message|notice(?!-)|pending-bar|route-error-page|spinner|state-disc|support-link|theme|toasts|translation|use-(?!format|unsaved|versioned)))/,
                },
                // These groups include what their modules import.
                // The pages of invitations and errors need them without the area.
                {
                  name: "avatar",
                  test: /[\\/]app[\\/]ui[\\/]\w+[\\/](avatar|email-text|(auto-)?retry-link)/,
                },
                {
                  // What nearly every page behind the sign-in needs.
                  name: "area",
                  test: /[\\/]app[\\/](features\.header|i18n[\\/]formats|routes[\\/]content|features[\\/]account[\\/]user-menu|lists[\\/]table[\\/]back-link|ui[\\/]\w+[\\/](empty-state|formatted|header-tools|labelled|panel|relative-time|screen-header|skip-link|use-(format|versioned)))/,
                },
                {
                  name: "confirm",
                  test: /[\\/]app[\\/]ui[\\/]\w+[\\/](confirm-drawer|asked-intent|proof)/,
                },
                { name: "list", test: /[\\/]app[\\/]lists[\\/]table[\\/]data-list/ },
              ],
            },
          },
        },
      },
    },
  },
}));

function givenSettings(): Record<string, string> {
  const given = GIVEN.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(given.filter((entry): entry is [string, string] => !!entry[1]));
}
