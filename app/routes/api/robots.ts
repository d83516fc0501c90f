/** Allows search engines only the login screen. */
export function loader() {
  const lines = [
    "User-agent: *",
    "Allow: /login$",
    "Disallow: /api/",
    "Disallow: /app",
    "Disallow: /manager",
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=86400",
    },
  });
}
