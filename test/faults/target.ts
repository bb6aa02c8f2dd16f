import type { ArchiveRecord } from 'dealwright/ports';
import type { PortsBelow } from './check-store.js';
import type { Effect } from './service.js';

/** A service that keeps deals, to be killed. */
export interface Target {
  /** Starts what is not running, and answers where the service is once it answers. */
  start(): Promise<string>;
  /** Kills the service, or what it keeps deals in, at once and without a word. */
  kill(): Promise<void>;
  /** Opens the store below the service, which runs meanwhile. */
  open(): Promise<OpenStore>;
  /** What the gateway of the service was asked to do. */
  effects(): readonly Effect[];
  /** Ends everything, and leaves nothing behind. */
  stop(): Promise<void>;
}

/** The store below, as somebody else opens it. */
export interface OpenStore {
  readonly ports: PortsBelow;
  /** Everything that it holds, of one moment. */
  records(): AsyncIterable<ArchiveRecord>;
  /** What the ports cannot show, in words: rows that nothing belongs to, a database that is torn. */
  remains(): Promise<readonly string[]>;
  close(): Promise<void>;
}
