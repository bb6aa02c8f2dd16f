/**
 * Begins a SHA-256 of bytes that come piece by piece.
 *
 * @example
 * ```ts
 * import { createHash } from 'node:crypto';
 * import type { Sha256 } from 'dealwright/ports';
 *
 * const sha256: Sha256 = () => {
 *   const hash = createHash('sha256');
 *   return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
 * };
 * ```
 */
export type Sha256 = () => RunningSha256;

/**
 * A SHA-256 that has begun.
 *
 * @example
 * ```ts
 * import type { Sha256 } from 'dealwright/ports';
 *
 * function digestOf(sha256: Sha256, bytes: Uint8Array): string {
 *   const running = sha256();
 *   running.update(bytes);
 *   return running.hex();
 * }
 * ```
 */
export interface RunningSha256 {
  update(bytes: Uint8Array): void;
  /** 64 hexadecimal digits in lower case; asked for once, at the end. */
  hex(): string;
}
