/** A text with numbers or dates that Intl wrote. React keeps the server's text where the browser writes it otherwise. */
export function Formatted({ children }: { children: string }) {
  return <span suppressHydrationWarning>{children}</span>;
}
