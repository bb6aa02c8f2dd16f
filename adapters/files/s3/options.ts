import type { Timer } from 'dealwright/ports';
import {
  checkOptions,
  isTimeout,
  isTimer,
  isVisible,
  plainUrl,
  type Rules,
} from '../../fetch/options.js';
import { systemTimer } from '../../fetch/timer.js';

/**
 * The bucket, the service and the key. Every service with the S3 interface and signatures of
 * version 4 works.
 */
export interface S3FileStoreOptions {
  /** `https:`, or `http:` within a trusted network; without the bucket. */
  readonly endpoint: string;
  /** As the service names it: `eu-central-1`, `auto`, ... */
  readonly region: string;
  /** An existing bucket: 3 to 63 lower-case letters, digits, dots and hyphens. */
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The session token of a temporary key. */
  readonly sessionToken?: string;
  /** The start of all keys: letters, digits and `._-`, in segments that each end in `/`. */
  readonly prefix?: string;
  /** `path` is `endpoint/bucket/key`, `virtual-host` is `bucket.endpoint/key`; default `path`. */
  readonly addressing?: 'path' | 'virtual-host';
  /** Default: the `fetch` of the runtime. */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds for one request, or for the next bytes of a content; default 9,000. */
  readonly timeout?: number;
  /** Default: the clock and the timers of the runtime. A signature is valid for minutes only. */
  readonly timer?: Timer;
}

/** The options, checked, with their defaults. */
export type S3Settings = ReturnType<typeof readOptions>;

export function readOptions(given: S3FileStoreOptions) {
  checkOptions('createS3FileStore', Object(given) as Partial<S3FileStoreOptions>, rules);
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, sessionToken } = given;
  const { prefix = '', addressing = 'path', fetch = globalThis.fetch } = given;
  return {
    url: bucketUrl(endpoint, bucket, addressing),
    bucket,
    prefix,
    signing: {
      service: 's3' as const,
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
    },
    fetch,
    timeout: given.timeout ?? 9_000,
    timer: given.timer ?? systemTimer,
  };
}

/** Without a slash at its end. */
function bucketUrl(endpoint: string, bucket: string, addressing: 'path' | 'virtual-host'): string {
  const url = new URL(endpoint);
  if (addressing === 'virtual-host') url.hostname = `${bucket}.${url.hostname}`;
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path}${addressing === 'path' ? `/${bucket}` : ''}`;
}

const rules: Rules<Partial<S3FileStoreOptions>> = {
  'endpoint is an http: or https: URL without a user name, query and fragment': ({ endpoint }) => {
    const url = plainUrl(endpoint);
    return url !== undefined && `${url.search}${url.hash}` === '';
  },
  'region is a name of letters, digits and hyphens': ({ region }) =>
    hasForm(region, /^[A-Za-z0-9-]+$/),
  'bucket is 3 to 63 lower-case letters, digits, dots and hyphens': ({ bucket }) =>
    hasForm(bucket, /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
  'accessKeyId has visible ASCII characters only, and at least one': ({ accessKeyId }) =>
    isVisible(accessKeyId),
  'secretAccessKey has visible ASCII characters only, and at least one': ({ secretAccessKey }) =>
    isVisible(secretAccessKey),
  'sessionToken has visible ASCII characters only, and at least one': ({ sessionToken = 'none' }) =>
    isVisible(sessionToken),
  // a segment of dots alone would be removed when the URL is resolved
  'prefix is at most 512 letters, digits and ._- in segments that end in a slash': ({
    prefix = '',
  }) => hasForm(prefix, /^(?:(?!\.{1,2}\/)[A-Za-z0-9._-]+\/)*$/) && prefix.length <= 512,
  'addressing is path or virtual-host': ({ addressing = 'path' }) =>
    addressing === 'path' || addressing === 'virtual-host',
  'fetch is a function': ({ fetch = globalThis.fetch }) => typeof fetch === 'function',
  'timeout is a number of milliseconds above 0, at most 2147483647': ({ timeout = 1 }) =>
    isTimeout(timeout),
  'timer has now and sleep': ({ timer = systemTimer }) => isTimer(timer),
};

function hasForm(value: unknown, form: RegExp): boolean {
  return typeof value === 'string' && form.test(value);
}
