/** Puts files that a script made into a field, so that the form sends them like chosen ones. */
export function setFiles(field: HTMLInputElement, files: readonly File[]): void {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  field.files = transfer.files;
}

/**
 * False in WebKit: a request there does not give back a file, which the router reads from it before it sends one. Such a
 * form must load a document, as without JavaScript.
 */
export async function canReadBack(form: FormData): Promise<boolean> {
  try {
    await new Request(location.href, { method: "POST", body: form }).formData();
    return true;
  } catch {
    return false;
  }
}
