import type { Tenant } from '../domain/values/tenant.js';
import type { Answer } from './answer.js';

/** A file that was received and is not recorded yet. */
export interface ReceivedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly content_type: string;
  /** Read once, from the start, and as far as the scanner wants. */
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Examines a file before it is recorded, and may refuse it: a virus scanner, a rule of the host.
 *
 * The deadline of ports covers the time in which it neither asks for a piece nor answers, and
 * starts again with each piece; the wait for a piece is the file store's, with its own deadline for
 * each. If one of them passes, the upload is `unavailable`, and reading the content throws, so that
 * no scanner works on with a deleted file.
 */
export interface FileScanner {
  scan(tenant: Tenant, file: ReceivedFile): Answer<'accepted' | 'refused'>;
}
