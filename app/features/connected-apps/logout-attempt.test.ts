import { expect, test } from "vitest";
import { postLogout } from "./logout-attempt.server.ts";

// None of these is ever asked: a request would fail with another answer.
test.each([
  "https://10.0.0.1:8443/admin",
  "https://169.254.169.254/latest",
  "https://[fd00::1]/x",
  "https://metadata.internal/x",
  "https://admin.app.example.com/x",
  "https://app.example.com/x",
  "http://localhost:9/x",
])("no sign-out is told to %s", async (uri) => {
  const site = { baseUrl: "https://app.example.com", isLoopback: false };

  expect(await postLogout(uri, "token", site)).toBe("closed");
});
