/** URL of the login page with the e-mail filled in. */
export function loginLink(baseUrl: string, email: string): string {
  return `${baseUrl}/login?${new URLSearchParams({ email })}`;
}
