import { useSyncExternalStore } from "react";

/** Returns whether this browser supports passkeys; undefined on the server and in the first render. */
export function usePasskeySupport(): boolean | undefined {
  return useSyncExternalStore(
    () => () => {},
    isSupported,
    () => undefined,
  );
}

function isSupported(): boolean {
  return typeof PublicKeyCredential === "function";
}

/** Storage key that marks a browser that has used a passkey here. */
const SEEN = "passkey";

/** True when this browser has signed in with a passkey here, or created one. */
export function hasSeenPasskey(): boolean {
  try {
    return localStorage.getItem(SEEN) !== null;
  } catch {
    return false;
  }
}

/** Stores that a passkey was used. Without storage, passkeys are suggested only when the field is used. */
export function rememberPasskey(): void {
  try {
    localStorage.setItem(SEEN, "seen");
  } catch {
    // Storage is off or full.
  }
}
