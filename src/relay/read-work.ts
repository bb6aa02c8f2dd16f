import { err, ok, type Result } from 'neverthrow';
import type { Stored } from '../domain/records.js';
import type { Tenant } from '../domain/tenant.js';
import { parseTimestamp } from '../domain/timestamp.js';
import { type PortProblem, portProblem } from '../ports/port-problem.js';
import type { Context } from '../usecases/context.js';
import type { Place } from './consume.js';
import { mostHeld, readHeld } from './held.js';
import type { Owned } from './lease.js';
import type { Job } from './run-jobs.js';
import type { Sink } from './sink.js';

/** How many events, or deliveries, are worked on together. */
const batchSize = 100;

/** Later than everything that is due. */
const endOfTime = '9999-12-31T23:59:59.999Z';

/** What there is to do: events of the log after the position, and deliveries that are due. */
export interface Work {
  readonly position: string | null;
  readonly held: Owned['held'];
  readonly events: readonly Stored<'event'>[];
  readonly cursor: string;
  readonly due: readonly Stored<'delivery'>[];
  readonly nextDue: number | undefined;
}

/** Reads what there is to do for a consumer. */
export async function readWork(
  { ports }: Context,
  tenant: Tenant,
  { consumer, begins }: Sink,
  { owned, isForced }: Place,
  row: Stored<'consumer'> | undefined,
  now: number,
): Promise<Result<Work, PortProblem>> {
  const { position, held } = owned ?? standingOf(row, begins);
  const isDueKnown = owned !== undefined && !isForced && !((owned.nextDue ?? now + 1) <= now);
  const [page, deliveries] = await Promise.all([
    // where too many subjects wait, the others wait too
    held.size < mostHeld ? ports.eventsAfter(tenant, position ?? undefined, batchSize) : undefined,
    isDueKnown ? undefined : ports.due(tenant, 'delivery', endOfTime, batchSize, consumer),
  ]);
  const read = page ?? ok({ events: [], cursor: position ?? '' });
  if (read.isErr()) return err(read.error);
  if (read.value === 'invalid_cursor') {
    const cause = new Error(`the log does not have the position of ${consumer}`);
    return err(portProblem('store.events.after', { retryable: false, cause }));
  }
  const { events, cursor } = read.value;
  const known = deliveries ?? ok([]);
  if (known.isErr()) return err(known.error);
  const dueAt = ({ due_at }: Stored<'delivery'>) => parseTimestamp(due_at ?? '') ?? 0;
  const due = known.value.filter((each) => dueAt(each) <= now);
  const later = known.value[due.length];
  // where a whole batch is due, more may be
  const next = due.length === batchSize ? now : later && dueAt(later);
  const nextDue = deliveries === undefined ? owned?.nextDue : next;
  return ok({ position, held, events, cursor, due, nextDue });
}

function standingOf(row: Stored<'consumer'> | undefined, begins: string | null) {
  return { position: row ? row.position : begins, held: readHeld(row?.held ?? '{}') };
}

interface Jobs {
  readonly all: readonly Job[];
  /** The last sequence of each subject whose events waited. */
  readonly readAgain: ReadonlyMap<string, number>;
}

/** What is to be delivered now: what waited, what is tried again, and what has come. */
export async function jobsOf(
  { ports }: Context,
  tenant: Tenant,
  sink: Sink,
  { held }: Owned,
  { events, due }: Work,
): Promise<Result<Jobs, PortProblem>> {
  const jobs: Job[] = [];
  const readAgain = new Map<string, number>();
  for (const [subject, { after, upTo, isPending }] of held) {
    if (isPending) continue;
    const limit = Math.min(batchSize, upTo - after);
    const waiting = await ports.eventsOf(tenant, subject, after, limit);
    if (waiting.isErr()) return err(waiting.error);
    readAgain.set(subject, waiting.value.at(-1)?.sequence ?? upTo);
    const wanted = waiting.value.filter((event) => sink.wants(event));
    jobs.push(...wanted.map((event) => ({ event, leads: true })));
  }
  for (const row of due) {
    const { subject, sequence } = row;
    const found = await ports.eventsOf(tenant, subject, sequence - 1, 1);
    if (found.isErr()) return err(found.error);
    const [event] = found.value;
    const head = held.get(subject);
    const leads = head?.isPending === true && head.after === sequence;
    if (event !== undefined) jobs.push({ event, row, leads });
  }
  for (const [at, event] of events.entries()) {
    if (held.has(event.subject) || !sink.wants(event)) continue;
    jobs.push({ event, at, leads: true });
  }
  return ok({ all: jobs, readAgain });
}
