import { execSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

function describeBuild() {
  const time = new Date().toISOString();
  let commit = "unknown";
  try {
    commit = execSync("git rev-parse --short HEAD", { stdio: ["ignore", "pipe", "ignore"] })
      .toString()
      .trim();
  } catch {
    // Built from an archive without history.
  }
  return { commit, time, version: `${commit}-${Date.parse(time).toString(36)}` };
}

/** better-auth's list of providers without the 34 that nobody can configure here, 14 kB. */
const ownProviders: Plugin = {
  name: "own-providers",
  transform: {
    filter: { id: /@better-auth[\\/]core[\\/]dist[\\/]social-providers[\\/]index\.mjs$/ },
    handler: () => `
      import { github } from "./github.mjs";
      import { google } from "./google.mjs";
      import { string } from "zod";
      export const socialProviders = { github, google };
      export const SocialProviderListEnum = string();
    `,
  },
};

export default defineConfig({
  plugins: [
    ownProviders,
    cloudflare({
      viteEnvironment: { name: "ssr" },
      // `npm run dev -- --port N` says so here; otherwise `.dev.vars` does.
      config: process.env.BASE_URL ? { vars: { BASE_URL: process.env.BASE_URL } } : {},
    }),
    tailwindcss(),
    reactRouter(),
  ],
  resolve: {
    alias: [
      // Resend's SDK brings a reader of incoming mail along, 16 kB that nothing here calls.
      {
        find: "postal-mime",
        replacement: fileURLToPath(
          new URL("./app/features/mail/no-incoming-mail.ts", import.meta.url),
        ),
      },
      // React brings its renderer of strings along, 26 kB beside the one of streams that draws the pages.
      {
        find: /^\.\/cjs\/react-dom-server-legacy\.browser\.production\.js$/,
        replacement: fileURLToPath(new URL("./app/no-string-renderer.ts", import.meta.url)),
      },
      // And a reader of its webhooks, 3 kB.
      {
        find: "standardwebhooks",
        replacement: fileURLToPath(new URL("./app/features/mail/no-webhooks.ts", import.meta.url)),
      },
      // better-auth's database in memory, for when there is none: 2 kB.
      {
        find: /^@better-auth\/memory-adapter$/,
        replacement: fileURLToPath(
          new URL("./app/features/auth/no-memory-adapter.ts", import.meta.url),
        ),
      },
      // better-auth's telemetry, which is off: 3 kB.
      {
        find: /^@better-auth\/telemetry$/,
        replacement: fileURLToPath(new URL("./app/features/auth/no-telemetry.ts", import.meta.url)),
      },
      // Passkeys come without attestation, and their signatures are two numbers: 75 kB less.
      {
        find: /^\..*\/(verifyAttestation(AndroidKey|AndroidSafetyNet|Apple|FIDOU2F|TPM|WithMetadata)|convertX509PublicKeyToCOSE|getCertificateInfo|isCertRevoked|metadataService|settingsService|validateCertificatePath|validateExtFIDOGenCEAAGUID)\.js$/,
        replacement: fileURLToPath(
          new URL("./app/features/auth/no-attestation.ts", import.meta.url),
        ),
      },
      {
        find: /^\.\/unwrapEC2Signature\.js$/,
        replacement: fileURLToPath(
          new URL("./app/features/auth/ecdsa-signature.ts", import.meta.url),
        ),
      },
    ],
  },
  clearScreen: false,
  define: { __BUILD__: JSON.stringify(describeBuild()) },
  build: {
    // Locale files are fetched by address, so that a page loads its own language only.
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
            // A page of 20 small files waits 20 times on a bad network: one file for what every page needs.
            codeSplitting: {
              groups: [
                {
                  name: "framework",
                  test: /node_modules[\\/](react|react-dom|react-router|scheduler|i18next)[\\/]/,
                },
                {
                  // What every page needs of ours, the sign-in pages among them; nothing that only some need.
                  name: "shared",
                  test: /[\\/]app[\\/](i18n|features[\\/]preferences|features[\\/]auth[\\/](gate|captcha-slot|provider-mark|session-watch)|features[\\/]passkeys[\\/]passkey-support|ui[\\/](button|document|error-page|field|form-errors|icon|logo|menu|message|notice|pending-bar|retry-link|spinner|theme|toasts|translation|use-))/,
                },
              ],
            },
          },
        },
      },
    },
  },
});
