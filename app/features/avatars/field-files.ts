/** Puts files that a script made into a field, so that the form sends them like chosen ones. */
export function setFiles(field: HTMLInputElement, files: readonly File[]): void {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  field.files = transfer.files;
}

/**
 * False in WebKit, where a file cannot be read back from a request, as the router does before it
 * sends one. A form with a file must load a document there, as without JavaScript.
 */
export async function canReadBack(form: FormData): Promise<boolean> {
  try {
    await new Request(location.href, { method: "POST", body: form }).formData();
    return true;
  } catch {
    return false;
  }
}
