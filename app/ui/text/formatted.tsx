/** A text with numbers or dates from Intl. React keeps the server's text when the browser's Intl writes another. */
export function Formatted({ children }: { children: string }) {
  return <span suppressHydrationWarning>{children}</span>;
}
