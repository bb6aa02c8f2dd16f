import type { Result } from 'neverthrow';
import type { DomainEvent } from '../domain/events/events.js';
import type { Stored } from '../domain/records/records.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { Attempted } from '../usecases/post-event.js';

/** Where a relay hands the events of a tenant to. */
export interface Sink {
  /** The key of its consumer. */
  readonly consumer: string;
  /** Where it begins while it has no consumer. */
  readonly begins: string | null;
  /** Whether later events of a subject wait for the earlier ones. */
  readonly isOrdered: boolean;
  /** Whether all of its events go one after the other. */
  readonly isSerial: boolean;
  /** Whether events that were delivered at once are recorded, too. */
  readonly isRecorded: boolean;
  /** The endpoint that is disabled where it has failed for too long, or wants nothing any more. */
  readonly webhook?: Stored<'webhook'>;
  /** What it is now; nothing where it wants nothing any more. */
  refresh?(): Promise<Result<Sink | undefined, PortProblem>>;
  wants(event: Stored<'event'>): boolean;
  /** Makes one attempt, at a moment of real time. */
  deliver(event: DomainEvent, now: number): Promise<Attempted>;
  /** Milliseconds to the next attempt, or nothing where this was the last one. */
  pauseAfter(tries: number, deliveryId: string): number | undefined;
}
