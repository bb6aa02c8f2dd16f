import type { Language } from 'dealwright';
import type { Route } from '../wire/routes.js';
import type { ClientUploadOptions } from './client-api.js';
import type { AbortSignalLike } from './fetch-like.js';
import { isTimeout, readLanguage, type Settings } from './settings.js';

/** The options of a call, read once. */
export interface CallSettings {
  readonly language: Language;
  /** Not checked. */
  readonly key: unknown;
  readonly signal: AbortSignalLike | undefined;
  readonly timeout: number;
  readonly onProgress: ClientUploadOptions['onProgress'];
}

/** A caller's options; where they cannot be read, there is no key. */
export function readCall(
  settings: Settings,
  { method, input }: Route,
  given: ClientUploadOptions | undefined,
): CallSettings {
  const isWrite = method === 'POST';
  const usual = input === 'file' ? settings.uploadTimeout : settings.timeout;
  try {
    const { language, idempotencyKey, signal, timeout, onProgress } = given ?? {};
    return {
      language: readLanguage(language ?? settings.language),
      key: isWrite ? idempotencyKey : undefined,
      signal,
      timeout: isTimeout(timeout) ? timeout : usual,
      onProgress: typeof onProgress === 'function' ? onProgress : undefined,
    };
  } catch {
    return {
      language: settings.language,
      timeout: usual,
      key: isWrite ? null : undefined,
      signal: undefined,
      onProgress: undefined,
    };
  }
}
