import { type Result, ResultAsync } from 'neverthrow';
import type { Route } from '../wire/route.js';
import { makeCall } from './call.js';
import type { ClientFileUpload, ClientUploadOptions } from './client-api.js';
import { encodeInput, encodeQuery } from './encode-input.js';
import { asJson, encodeUpload, type Sendable } from './encode-upload.js';
import { releaseContent } from './file-source.js';
import type { AnyError } from './read-reply.js';
import type { Call, Settings } from './settings.js';

/** An operation: its arguments are those of its path, its input and its options, in this order. */
export type Operation = (...given: readonly unknown[]) => ResultAsync<unknown, AnyError>;

/** Makes the operations of a client, each from its route. */
export function createOperations(settings: Settings) {
  const call = <T>(
    route: Route,
    path: string | undefined,
    options: ClientUploadOptions | undefined,
    encode: (call: Call) => Sendable | undefined = () => ({}),
  ): ResultAsync<T, AnyError> => {
    // the route decides the answer and the errors of the operation
    const made = makeCall(settings, route, path, options, encode) as Promise<Result<T, AnyError>>;
    return new ResultAsync(made).mapErr(frozen);
  };

  return (
    whole: Route,
    prefixOf: (path: string) => string | undefined = (path) => path,
  ): Operation => {
    const { input: takes, members, answer } = whole;
    const names = namesIn(whole.path.replace('{partner}', ''));
    return (...given) => {
      const missing = names.find((name, at) => !canName(name, given[at]));
      // the last name of the path is the resource that is not found
      const route = missing === undefined ? whole : { ...whole, path: `{${missing}}` };
      const path = missing === undefined ? prefixOf(pathOf(whole, names, given)) : undefined;
      const [input, last] = given.slice(names.length);
      const options = (takes === 'nothing' ? input : last) as ClientUploadOptions | undefined;
      switch (takes) {
        case 'query':
          return call(route, path && withQuery(path, encodeQuery(input, members)), options);
        case 'body':
        case 'command': {
          // a command may have no input
          const said = input === undefined && takes === 'command' ? {} : input;
          return call(route, path, options, () => asJson(encodeInput(said, members)));
        }
        case 'file': {
          const file = input as ClientFileUpload;
          const encode = ({ onProgress }: Call) => encodeUpload(file, onProgress);
          // if the file was refused unread, the source of its content is still open
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

/** The names in the path of a route, in order. */
function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** The path of a call whose arguments can all be names. */
function pathOf(
  route: Pick<Route, 'path'>,
  names: readonly string[],
  given: readonly unknown[],
): string {
  return names.reduce((path, name, at) => {
    const text = String(given[at]);
    return name === 'partner_id' ? pathByPartnerId(path, text) : path.replace(`{${name}}`, text);
  }, route.path);
}

/** Says whether a value can be such a name: another value is not found, as in process. */
function canName(name: string, value: unknown): boolean {
  if (name === 'id') return Number.isSafeInteger(value) && Number(value) > 0;
  if (name !== 'partner_id') return isPathPart(value);
  return typeof value === 'string' && /^[^\0\p{Cs}]{1,40}$/u.test(value);
}

/** A path with parameters; it may have one already. */
function withQuery(path: string, query: string): string {
  return path.includes('?') ? path + query.replace('?', '&') : path + query;
}

const frozen = <E>(error: E): E => Object.freeze(error);

/** Paths cannot carry every text: URL parsers collapse dots, and proxies mangle escapes. */
function pathByPartnerId(path: string, id: string): string {
  return isPathPart(id)
    ? path.replace('{partner_id}', id)
    : `${path.replace('{partner_id}', 'by-id')}?${new URLSearchParams({ partner_id: id })}`;
}

/** Says whether a text can be a part of a path, and is not a word of the path itself. */
function isPathPart(text: unknown): text is string {
  return typeof text === 'string' && /^(?!\.\.?$|by-id$)[\w.~-]+$/.test(text);
}
