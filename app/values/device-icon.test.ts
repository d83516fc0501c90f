import { expect, test } from "vitest";
import { deviceIcon } from "./device-icon.ts";
import { describeDevice } from "./user-agent.server.ts";

const WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0";
const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";

test.each([
  [
    "iOS",
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${WEBKIT} Mobile/15E148 Safari/604.1`,
  ],
  ["Android", `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`],
])("a phone with %s has the icon of a phone", (system, userAgent) => {
  const device = describeDevice(userAgent);
  expect(device?.system).toBe(system);
  expect(deviceIcon(device)).toBe("smartphone");
});

test.each([
  ["macOS", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Safari/605.1.15`],
  ["Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`],
  ["Linux", `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`],
])("a computer with %s has the icon of a monitor", (system, userAgent) => {
  const device = describeDevice(userAgent);
  expect(device?.system).toBe(system);
  expect(deviceIcon(device)).toBe("monitor");
});

test("an unknown device has the icon of a monitor", () => {
  expect(deviceIcon(describeDevice("curl"))).toBe("monitor");
});
