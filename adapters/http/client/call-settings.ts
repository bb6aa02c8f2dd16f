import type { Language } from 'dealwright';
import { isTimeout } from '../../shared/options.js';
import type { Route } from '../wire/route.js';
import type { ClientUploadOptions } from './client-api.js';
import type { AbortSignalLike } from './fetch-like.js';
import { readLanguage, type Settings } from './settings.js';

/** A call with its options, each read once. */
export interface Call {
  readonly settings: Settings;
  readonly route: Route;
  readonly language: Language;
  /** The caller's key, not checked. */
  readonly key: unknown;
  readonly signal: AbortSignalLike | undefined;
  readonly timeout: number;
  readonly onProgress: ClientUploadOptions['onProgress'];
}

/** Reads the options of a call; if they cannot be read, its key is not valid. */
export function readCall(
  settings: Settings,
  route: Route,
  given: ClientUploadOptions | undefined,
): Call {
  const unread: Call = {
    settings,
    route,
    language: settings.language,
    key: route.keyed ? null : undefined,
    signal: undefined,
    timeout: route.input === 'file' ? settings.uploadTimeout : settings.timeout,
    onProgress: undefined,
  };
  try {
    const { language, idempotencyKey, signal, timeout, onProgress } = given ?? {};
    return {
      ...unread,
      language: readLanguage(language ?? settings.language),
      key: route.keyed ? idempotencyKey : undefined,
      signal,
      timeout: isTimeout(timeout) ? timeout : unread.timeout,
      onProgress: typeof onProgress === 'function' ? onProgress : undefined,
    };
  } catch {
    return unread;
  }
}
