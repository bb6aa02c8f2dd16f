/** A call of a method, to be made or not. */
export type Call = () => unknown;

/** The same object, whose methods are called by `make`, as are those of the objects in it. */
export function wrap<P extends object>(
  object: P,
  make: (call: Call, name: PropertyKey) => unknown,
): P {
  // a copy: a proxy must not change a member of a frozen object
  const copy: P = Object.assign(Object.create(Object.getPrototypeOf(object)), object);
  return new Proxy(copy, {
    get(_, name) {
      const member: unknown = Reflect.get(object, name, object);
      if (typeof member === 'object' && member !== null) return wrap(member, make);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => make(() => Reflect.apply(member, object, given), name);
    },
  });
}
