/**
 * Makes everything outside an element inert, as the browser does for a modal dialog: a popover
 * opens without JavaScript, but leaves the page behind it to the keyboard. Toasts and notices,
 * which are manual popovers, stay usable. Returns a function that ends this.
 */
export function makeModal(drawer: HTMLElement): () => void {
  const outside: HTMLElement[] = [];
  for (let inner = drawer; inner.parentElement && inner !== document.body; ) {
    for (const sibling of inner.parentElement.children) {
      if (sibling === inner || !(sibling instanceof HTMLElement)) continue;
      if (sibling.inert || sibling.popover === "manual") continue;
      sibling.inert = true;
      outside.push(sibling);
    }
    inner = inner.parentElement;
  }
  return () => {
    for (const element of outside) element.inert = false;
  };
}
