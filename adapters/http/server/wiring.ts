import { checkOptions, type OptionRules, onlyNames } from 'dealwright/ports';
import type { Handler, HttpRequest, HttpResponse } from './messages.js';

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

/**
 * What to send in place of an answer that could not be sent. The handler tells the host why; one of
 * the host's own may be unable to.
 */
export function answerInstead(
  handler: Handler,
  request: HttpRequest,
  failed: HttpResponse | undefined,
  cause: unknown,
): HttpResponse {
  const bare = { status: 500, headers: { 'cache-control': 'no-store' }, body: undefined };
  try {
    return handler.sendFailed?.(request, failed, cause) ?? bare;
  } catch {
    return bare;
  }
}
