import type { Tenant } from '../domain/values/tenant.js';

/**
 * Business time: the dates of deals, files and events, the same for every tenant. The store keeps
 * how far a partner of the sandbox has moved its own time forward (decision 6.6). Ids, deadlines of
 * ports and sweeping use real time, the timer's.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(tenant: Tenant): number;
}

/**
 * Real time, which measures deadlines of ports, idle connections and sweeping. It is the same for
 * every tenant; the dates of a deal are the clock's.
 */
export interface Timer {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Calls `wake` once, after `milliseconds`; the function that it returns cancels that. */
  sleep(milliseconds: number, wake: () => void): () => void;
}

/** The only source of identifiers. */
export interface Ids {
  /** A ULID, later in order than those before it. */
  next(): string;
}

/**
 * A one-way function of text to text: SHA-256 in any notation. Fingerprints are made with it, so
 * that an idempotency record contains no bank account. It must stay the same as long as records
 * live.
 */
export type Digest = (text: string) => string;

/** Starts a SHA-256 of bytes that come piece by piece. */
export type Sha256 = () => RunningSha256;

/** A SHA-256 in progress. */
export interface RunningSha256 {
  update(bytes: Uint8Array): void;
  /** 64 hexadecimal digits in lower case; called once, at the end. */
  hex(): string;
}
