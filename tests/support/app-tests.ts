/** Globs of the tests that lie in `app`: of single files beside them, and of a feature in its folder. */
export const APP_TESTS = ["app/**/*.test.{ts,tsx}", "app/features/*/tests/**"];
