/** Calls a host's hook: whatever it does, at once or later, does no harm to the request. */
export function callHook<T>(hook: (report: T) => unknown, report: T): void {
  try {
    Promise.resolve(hook(report)).then(undefined, () => undefined);
  } catch {
    // the host's own business
  }
}
