import { checkOptions, type Timer } from 'dealwright/ports';
import { isTimeout, isTimer, isVisible, plainUrl } from '../../shared/options.js';
import { systemTimer } from '../../shared/timer.js';

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
  const options = Object(given) as S3FileStoreOptions;
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, sessionToken } = options;
  const { prefix = '', addressing = 'path', fetch = globalThis.fetch } = options;
  const { timeout = 9_000, timer = systemTimer } = options;
  const url = plainUrl(endpoint);
  checkOptions('createS3FileStore', {
    'endpoint is an http: or https: URL without a user name, query and fragment':
      url !== undefined && `${url.search}${url.hash}` === '',
    'region is a name of letters, digits and hyphens': hasForm(region, /^[A-Za-z0-9-]+$/),
    'bucket is 3 to 63 lower-case letters, digits, dots and hyphens': hasForm(
      bucket,
      /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    ),
    'accessKeyId has visible ASCII characters only, and at least one': isVisible(accessKeyId),
    'secretAccessKey has visible ASCII characters only, and at least one':
      isVisible(secretAccessKey),
    'sessionToken has visible ASCII characters only, and at least one':
      sessionToken === undefined || isVisible(sessionToken),
    // a segment of dots alone would be removed when the URL is resolved
    'prefix is at most 512 letters, digits and ._- in segments that end in a slash':
      hasForm(prefix, /^(?:(?!\.{1,2}\/)[A-Za-z0-9._-]+\/)*$/) && prefix.length <= 512,
    'addressing is path or virtual-host': addressing === 'path' || addressing === 'virtual-host',
    'fetch is a function': typeof fetch === 'function',
    'timeout is a number of milliseconds above 0, at most 2147483647': isTimeout(timeout),
    'timer has now and sleep': isTimer(timer),
  });
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
    timeout,
    timer,
  };
}

/** Without a slash at its end. */
function bucketUrl(endpoint: string, bucket: string, addressing: 'path' | 'virtual-host'): string {
  const url = new URL(endpoint);
  if (addressing === 'virtual-host') url.hostname = `${bucket}.${url.hostname}`;
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path}${addressing === 'path' ? `/${bucket}` : ''}`;
}

function hasForm(value: unknown, form: RegExp): boolean {
  return typeof value === 'string' && form.test(value);
}
