import { expect, test } from "vitest";
import { describeSettings } from "./setting-states.ts";

const stateOf = (environment: Record<string, unknown>, name: string) =>
  describeSettings(environment).find((one) => one.name === name)?.state;

test.each([
  ["RESEND_API_KEY", "re_123", "set"],
  ["RESEND_API_KEY", " ", "missing"],
  ["RESEND_API_KEY", undefined, "missing"],
  ["SIGN_UP_ENABLED", "false", "set"],
  ["SIGN_UP_ENABLED", "", "default"],
  ["ENVIRONMENT_COLOR", undefined, "default"],
  ["CODE_MAILS_PER_HOUR", undefined, "default"],
  ["PLAN", "", "default"],
  ["ADMIN_EMAILS", "", "missing"],
  ["SECURITY_CONTACT", undefined, "missing"],
])("%s with the value %j is %s", (name, value, state) => {
  expect(stateOf({ [name]: value }, name)).toBe(state);
});

test("no value of a setting is told", () => {
  const environment = Object.fromEntries(
    describeSettings({}).map(({ name }) => [name, `value of ${name}`]),
  );

  expect(JSON.stringify(describeSettings(environment))).not.toContain("value of");
});
