/** Stands in for better-auth's telemetry: nobody is told how this product is run. */
export async function createTelemetry() {
  return { publish: async () => {} };
}

export async function getTelemetryAuthConfig() {
  return {};
}
