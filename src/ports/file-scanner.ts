import type { Tenant } from '../domain/tenant.js';
import type { Answer } from './answer.js';

/**
 * A file that was received and is not recorded yet.
 *
 * @example
 * ```ts
 * import type { ReceivedFile } from 'dealwright/ports';
 *
 * const isLarge = (file: ReceivedFile): boolean => file.size > 1024 * 1024;
 * ```
 */
export interface ReceivedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly content_type: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Looks into a file before it is recorded, and may refuse it: a virus scanner, a rule of the house.
 *
 * @example
 * ```ts
 * import { ok } from 'neverthrow';
 * import type { FileScanner } from 'dealwright/ports';
 *
 * const noPrograms: FileScanner = {
 *   scan: (_tenant, { content_type }) =>
 *     ok(content_type.includes('executable') ? 'refused' : 'accepted'),
 * };
 * ```
 */
export interface FileScanner {
  scan(tenant: Tenant, file: ReceivedFile): Answer<'accepted' | 'refused'>;
}
