import { useSyncExternalStore } from "react";

/** Whether this browser can use passkeys; undefined on the server and in the first paint, where nobody knows yet. */
export function usePasskeySupport(): boolean | undefined {
  return useSyncExternalStore(
    () => () => {},
    isSupported,
    () => undefined,
  );
}

function isSupported(): boolean {
  return (
    typeof PublicKeyCredential === "function" &&
    "parseRequestOptionsFromJSON" in PublicKeyCredential &&
    "toJSON" in PublicKeyCredential.prototype
  );
}

/** Under this name a browser remembers that it has seen a passkey of this site. */
const SEEN = "passkey";

/** Whether this browser has signed in with a passkey here, or made one. */
export function hasSeenPasskey(): boolean {
  try {
    return localStorage.getItem(SEEN) !== null;
  } catch {
    return false;
  }
}

/** Remembers it. A browser that keeps nothing offers passkeys once the field is used. */
export function rememberPasskey(): void {
  try {
    localStorage.setItem(SEEN, "seen");
  } catch {
    // It keeps nothing.
  }
}
