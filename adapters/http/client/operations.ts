import { type Result, ResultAsync } from 'neverthrow';
import type { Route } from '../wire/route.js';
import { makeCall } from './call.js';
import type { Call } from './call-settings.js';
import type { ClientFileUpload, ClientUploadOptions } from './client-api.js';
import { encodeInput, encodeQuery } from './encode-input.js';
import { asJson, encodeUpload, type Sendable } from './encode-upload.js';
import { releaseContent } from './file-source.js';
import type { AnyError } from './read-reply.js';
import type { Settings } from './settings.js';

/** An operation: what its path names, what it takes, and its options, in this order. */
export type Operation = (...given: readonly unknown[]) => ResultAsync<unknown, AnyError>;

/** Makes the operations of a client, each from the row of its route. */
export function createOperations(settings: Settings) {
  const call = <T>(
    route: Route,
    path: string | undefined,
    options: ClientUploadOptions | undefined,
    encode: (call: Call) => Sendable | undefined = () => ({}),
  ): ResultAsync<T, AnyError> => {
    // the row of the route says which answer and errors are the operation's
    const made = makeCall(settings, route, path, options, encode) as Promise<Result<T, AnyError>>;
    return new ResultAsync(made).mapErr(frozen);
  };

  return (route: Route, prefixOf = (path: string | undefined) => path): Operation => {
    const { input: takes, members, answer } = route;
    const names = namesIn(route.path.replace('{partner}', ''));
    return (...given) => {
      const path = prefixOf(pathOf(route, names, given));
      const [input, last] = given.slice(names.length);
      const options = (takes === 'nothing' ? input : last) as ClientUploadOptions | undefined;
      switch (takes) {
        case 'query':
          return call(route, path && withQuery(path, encodeQuery(input, members)), options);
        case 'body':
        case 'command': {
          // a command may have none
          const said = input === undefined && takes === 'command' ? {} : input;
          return call(route, path, options, () => asJson(encodeInput(said, members)));
        }
        case 'file': {
          const file = input as ClientFileUpload;
          const encode = ({ onProgress }: Call) => encodeUpload(file, onProgress);
          // where it was refused unread, what the content comes from is still open
          return call(route, path, options, encode).orTee(
            () => void releaseContent(file).catch(() => undefined),
          );
        }
        case 'nothing': {
          const answered = call<object>(route, path, options);
          return answer === 'file'
            ? answered.map((file) => ({ ...file, id: given[names.length - 1] }))
            : answered;
        }
      }
    };
  };
}

/** What the path of a route names, in its order. */
function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** The path of a call; nothing where it would name what cannot be: in process it names nothing, too. */
function pathOf(
  route: Pick<Route, 'path'>,
  names: readonly string[],
  given: readonly unknown[],
): string | undefined {
  return names.reduce<string | undefined>((path, name, at) => {
    const named = given[at];
    if (name === 'partner_id') return path && pathByPartnerId(path, named);
    const isNamed =
      name === 'id' ? Number.isSafeInteger(named) && Number(named) > 0 : isPathPart(named);
    return isNamed ? path?.replace(`{${name}}`, String(named)) : undefined;
  }, route.path);
}

/** A path with parameters, which may have one already. */
function withQuery(path: string, query: string): string {
  return path.includes('?') ? path + query.replace('?', '&') : path + query;
}

const frozen = <E>(error: E): E => Object.freeze(error);

/**
 * The path of a deal by its `partner_id`; what is not an id names no deal, in process too. Paths
 * cannot carry every text: URL parsers collapse dots, and proxies mangle escapes.
 */
function pathByPartnerId(path: string, id: unknown): string | undefined {
  if (typeof id !== 'string' || !/^[^\0\p{Cs}]{1,40}$/u.test(id)) return undefined;
  return isPathPart(id)
    ? path.replace('{partner_id}', id)
    : `${path.replace('{partner_id}', 'by-id')}?${new URLSearchParams({ partner_id: id })}`;
}

/** Says whether a text can stand in a path, where it is no word of the path itself. */
function isPathPart(text: unknown): text is string {
  return typeof text === 'string' && /^(?!\.\.?$|by-id$)[\w.~-]+$/.test(text);
}
