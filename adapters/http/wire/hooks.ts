/** Calls a hook of the host: if it throws or rejects, the request goes on. */
export function callHook<T>(hook: (report: T) => unknown, report: T): void {
  try {
    Promise.resolve(hook(report)).then(undefined, () => undefined);
  } catch {
    // a failure of the hook is the host's own business
  }
}
