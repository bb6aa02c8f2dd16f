import type { Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/** A file that was received and is not recorded yet. */
export interface ReceivedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly content_type: string;
  /** Read once, from its beginning, as far as it is wanted. */
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Looks into a file before it is recorded, and may refuse it: a virus scanner, a rule of the host.
 *
 * The deadline of ports is for the time in which it neither asks for a piece nor answers, and
 * begins anew with each piece; the wait for one is the file store's, each with a deadline of its
 * own. Where one of them passes, the upload is `unavailable`, and the content that is being read
 * ends in an exception, so that no scanner works on with a file that is deleted.
 */
export interface FileScanner {
  scan(tenant: Tenant, file: ReceivedFile): Answer<'accepted' | 'refused'>;
}
