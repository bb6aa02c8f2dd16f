import { checkOptions, type OptionRules, onlyNames } from 'dealwright/ports';

/** Throws a `TypeError` for wrong options of a mounted handler: `names` are all that there are. */
export function checkMount(
  maker: string,
  handler: unknown,
  options: { readonly resolveCaller?: unknown },
  names: readonly string[],
  rules: OptionRules = {},
): void {
  const resolveCaller = Object(options).resolveCaller;
  checkOptions(maker, {
    'handler is what createHandler makes, an object with handle()':
      typeof Object(handler).handle === 'function',
    ...onlyNames('options', options, names),
    'resolveCaller is a function of the request':
      resolveCaller === undefined || typeof resolveCaller === 'function',
    ...rules,
  });
}

/** The further arguments of a mounted handler: anything, unless `resolveCaller` uses them. */
export type ContextOf<Context> = unknown extends Context ? unknown[] : [context: Context];
