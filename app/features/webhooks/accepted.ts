type Answered = { status: number | null; error: string | null };

/** Returns true when a receiver accepted an attempt. The built-in bin answers without a status. */
export function isAccepted({ status, error }: Answered): boolean {
  return error === null && (status === null || (status >= 200 && status < 300));
}
