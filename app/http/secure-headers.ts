type SecureHeadersOptions = {
  nonce: string;
  isSecure: boolean;
  usesTurnstile: boolean;
  /** Other origins that a form may lead to. */
  formOrigins: string[];
};

const TURNSTILE_ORIGIN = "https://challenges.cloudflare.com";

export function setSecureHeaders(headers: Headers, options: SecureHeadersOptions): void {
  const { nonce, isSecure, usesTurnstile, formOrigins } = options;
  const turnstile = usesTurnstile ? ` ${TURNSTILE_ORIGIN}` : "";
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${turnstile}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src 'self'${turnstile}`,
    "frame-ancestors 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    // Chromium applies this list to redirects after a form too, and social sign-in redirects to the provider's origin.
    ["form-action 'self'", ...formOrigins].join(" "),
    ...(isSecure ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
  if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", policy);
  headers.set("Strict-Transport-Security", "max-age=63072000; includeSubDomains; preload");
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("X-Frame-Options", "DENY");
  headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  if (!headers.has("Cross-Origin-Resource-Policy")) {
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
  }
  headers.set(
    "Permissions-Policy",
    "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=(), publickey-credentials-get=(self), publickey-credentials-create=(self)",
  );
  // No cache may keep a page behind the sign-in, or one that shows that the user is signed in.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
}
