import type { DownloadedFile, WorkFile } from 'dealwright';
import { type Result, ResultAsync } from 'neverthrow';
import type { Route } from '../wire/route.js';
import { makeCall } from './call.js';
import type { Call } from './call-settings.js';
import type { ClientFileUpload, ClientReadOptions, ClientUploadOptions } from './client-api.js';
import { encodeInput } from './encode-input.js';
import { asJson, encodeUpload, type Sendable } from './encode-upload.js';
import { releaseContent } from './file-source.js';
import type { AnyError } from './read-reply.js';
import type { Settings } from './settings.js';

/** Makes the operations of a client, each from the row of its route. */
export function createOperations(settings: Settings) {
  const call = <T, E extends AnyError>(
    route: Route,
    path: string | undefined,
    given: ClientUploadOptions | undefined,
    encode: (call: Call) => Sendable | undefined = () => ({}),
  ): ResultAsync<T, E> => {
    // the row of the route says which answer and errors are the operation's
    const made = makeCall(settings, route, path, given, encode) as Promise<Result<T, E>>;
    return new ResultAsync(made).mapErr(frozen);
  };
  return {
    call,
    /** Sends a body; a command may have none. */
    send: <T, E extends AnyError>(
      route: Route,
      path: string | undefined,
      input: unknown,
      given: ClientUploadOptions | undefined,
    ): ResultAsync<T, E> =>
      call(route, path, given, () => {
        const said = input === undefined && route.input === 'command' ? {} : input;
        return asJson(encodeInput(said, route.members));
      }),
    upload<E extends AnyError>(
      route: Route,
      path: string | undefined,
      file: ClientFileUpload,
      given: ClientUploadOptions | undefined,
    ): ResultAsync<WorkFile, E> {
      const stored = call<WorkFile, E>(route, path, given, ({ onProgress }) =>
        encodeUpload(file, onProgress),
      );
      // where it was refused unread, what the content comes from is still open
      return stored.orTee(() => void releaseContent(file).catch(() => undefined));
    },
    download<E extends AnyError>(
      route: Route,
      path: string | undefined,
      file_id: string,
      given: ClientReadOptions | undefined,
    ): ResultAsync<DownloadedFile, E> {
      const own = isPathPart(file_id) ? path?.replace('{file_id}', file_id) : undefined;
      return call<DownloadedFile, E>(route, own, given).map((file) => ({ ...file, id: file_id }));
    },
  };
}

const frozen = <E>(error: E): E => Object.freeze(error);

/**
 * The path of a deal by its `partner_id`; what is not an id names no deal, in process too. Paths
 * cannot carry every text: URL parsers collapse dots, and proxies mangle escapes.
 */
export function pathByPartnerId({ path }: Route, id: unknown): string | undefined {
  if (typeof id !== 'string' || !/^[^\0\p{Cs}]{1,40}$/u.test(id)) return undefined;
  return isPathPart(id)
    ? path.replace('{partner_id}', id)
    : `${path.replace('{partner_id}', 'by-id')}?${new URLSearchParams({ partner_id: id })}`;
}

/** Says whether a text can stand in a path, where it is no word of the path itself. */
export function isPathPart(text: unknown): text is string {
  return typeof text === 'string' && /^(?!\.\.?$|by-id$)[\w.~-]+$/.test(text);
}
