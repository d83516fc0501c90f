import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const root = new URL("..", import.meta.url).pathname;

/** An app that uses what the API's document gives, with what only the types of the product know. */
const APP = `
import { passkeyClient } from "@better-auth/passkey/client";
import { createAuthClient } from "better-auth/client";
import { adminClient, emailOTPClient, organizationClient } from "better-auth/client/plugins";
import { gatehouseClient, gatehouseFields } from "./plugin.ts";

const auth = createAuthClient({
  plugins: [
    emailOTPClient(),
    adminClient(),
    organizationClient({ teams: { enabled: true } }),
    passkeyClient(),
    gatehouseClient(),
    gatehouseFields(),
  ],
});

export async function use() {
  const { data, error } = await auth.deleteUser({ otp: "123456" });
  await auth.deleteUser();
  await auth.emailOtp.requestEmailChange({ newEmail: "new@example.com", otp: "123456" });
  const field: unknown = error && "field" in error ? error.field : undefined;
  const { data: current } = await auth.getSession();
  const onboardedAt: Date | null | undefined = current?.user.onboardedAt;
  const language: string | null | undefined = current?.user.language;
  const demand: string | null | undefined = current?.session.passkeyDemand;
  const code: string | undefined = error?.code ?? data?.code;
  return [field, onboardedAt, language, demand, code, current?.user.termsDue];
}
`;

test("the types in the API's document compile, strictly, with the installed client", () => {
  const document = readFileSync(join(root, "docs/api.md"), "utf8");
  const plugin = [...document.matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    .map(([, code = ""]) => code)
    .find((code) => code.includes("function gatehouseClient"));
  // Inside the project, so that the files find the packages.
  const folder = mkdtempSync(join(root, "node_modules/.client-types-"));
  try {
    writeFileSync(join(folder, "plugin.ts"), plugin ?? "");
    writeFileSync(join(folder, "app.ts"), APP);
    const program = ts.createProgram([join(folder, "app.ts")], {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      types: [],
    });
    const problems = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    expect(problems).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
