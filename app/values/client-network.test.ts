import { expect, test } from "vitest";
import { clientNetwork, wideNetwork } from "./client-network.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::"],
  ["2001:db8::9", "2001:db8:0:0::"],
  ["2001:db8:0:0:ffff::", "2001:db8:0:0::"],
  ["::1", "0:0:0:0::"],
])("the limits count %s as %s", (ipAddress, network) => {
  expect(clientNetwork(ipAddress)).toBe(network);
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2::", "2001:db8:1::"],
])("limits of many requests count %s as %s", (network, wide) => {
  expect(wideNetwork(network)).toBe(wide);
});
