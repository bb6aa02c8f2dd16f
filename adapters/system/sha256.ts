import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { RunningSha256, Sha256 } from 'dealwright/ports';

/**
 * SHA-256 of bytes that come piece by piece. Where the runtime has Node's `crypto` that does the
 * work; everywhere else @noble/hashes does.
 *
 * @example
 * ```ts
 * import { createSha256 } from 'dealwright/system';
 *
 * const hash = createSha256()();
 * hash.update(new TextEncoder().encode('abc'));
 * hash.hex(); // 'ba7816bf...'
 * ```
 */
export function createSha256(): Sha256 {
  const createHash = nodeCreateHash();
  return createHash === undefined ? startNoble : () => startNode(createHash);
}

function startNoble(): RunningSha256 {
  const hash = sha256.create();
  return { update: (bytes) => void hash.update(bytes), hex: () => bytesToHex(hash.digest()) };
}

function startNode(createHash: NodeCreateHash): RunningSha256 {
  const hash = createHash('sha256');
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
}

type NodeCreateHash = (algorithm: string) => {
  update(bytes: Uint8Array): unknown;
  digest(encoding: 'hex'): string;
};

/** `getBuiltinModule` finds a module without an import that other runtimes would trip over. */
function nodeCreateHash(): NodeCreateHash | undefined {
  const { process } = globalThis as {
    readonly process?: {
      getBuiltinModule?: (id: string) => { createHash?: NodeCreateHash } | undefined;
    };
  };
  return process?.getBuiltinModule?.('node:crypto')?.createHash;
}
