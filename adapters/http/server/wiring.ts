/** Throws a `TypeError` for anything but a handler. */
export function checkHandler(maker: string, handler: unknown): void {
  if (typeof Object(handler).handle === 'function') return;
  throw new TypeError(`${maker}: handler is what createHandler makes, an object with handle()`);
}

/** Throws a `TypeError` if options are not an object, or have a name that is not allowed. */
export function checkNames(
  option: string,
  given: unknown,
  allowed: readonly string[],
  ignored: readonly string[] = [],
): void {
  const takes = `takes ${allowed.join(', ')}`;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`${option} is an object that ${takes}`);
  }
  const unknown = Object.keys(given).find(
    (name) => !allowed.includes(name) && !ignored.includes(name),
  );
  if (unknown !== undefined) throw new TypeError(`${option} has no '${unknown}', it ${takes}`);
}

/** The further arguments of a mounted handler: anything, unless `resolveCaller` uses them. */
export type ContextOf<Context> = unknown extends Context ? unknown[] : [context: Context];

/** Throws a `TypeError` if `resolveCaller` is given and not a function. */
export function checkResolver(maker: string, resolveCaller: unknown): void {
  if (resolveCaller === undefined || typeof resolveCaller === 'function') return;
  throw new TypeError(`${maker}: resolveCaller is a function of the request`);
}
