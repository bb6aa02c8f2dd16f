import type { ArchiveRecord } from 'dealwright/ports';
import type { PortsBelow } from './check-store.js';
import type { Effect } from './service.js';

/** A service that keeps deals, to be killed. */
export interface Target {
  /** Starts the parts that do not run; resolves with the address once the service answers. */
  start(): Promise<string>;
  /** Kills the service, or its database, at once. */
  kill(): Promise<void>;
  /** Opens the store below the service while the service runs. */
  open(): Promise<OpenStore>;
  /** The effects that the gateway of the service was asked for. */
  effects(): readonly Effect[];
  /** Ends everything, and leaves nothing behind. */
  stop(): Promise<void>;
}

/** The store below, opened by another process. */
export interface OpenStore {
  readonly ports: PortsBelow;
  /** All its records at one moment. */
  records(): AsyncIterable<ArchiveRecord>;
  /** Problems that the ports cannot show: rows without a parent, a damaged database. */
  remains(): Promise<readonly string[]>;
  close(): Promise<void>;
}
