import type { Result } from 'neverthrow';
import { type Environment, nameOf, type Tenant } from '../domain/values/tenant.js';
import { formatTimestamp } from '../domain/values/timestamp.js';
import type { PortProblem } from '../ports/answer.js';
import type { TenantLog } from '../ports/store.js';
import type { Context, Core } from '../usecases/context.js';
import type { WakeListener } from '../usecases/wakes.js';
import { consume, type Place, type RelayContext } from './consume.js';
import { release } from './lease.js';
import type { RelayFailure } from './relay-options.js';
import type { Sink } from './sink.js';
import { createSlots, createTasks } from './tasks.js';

/** A relay, or a subscription, that is running. */
export interface Running {
  /** Begins no more work, and resolves once no work is under way. */
  stop(): Promise<void>;
}

/** The parts of a relay. */
export interface RelayParts {
  /** How many deliveries are under way at once. */
  readonly concurrency: number;
  /** Tenants of other environments get no events. */
  readonly environments: readonly Environment[];
  sinksOf(tenant: Tenant): Promise<Result<readonly Sink[], PortProblem>>;
  onFailure(failure: RelayFailure): unknown;
}

/** Milliseconds between two looks at the ends of all logs: doubled while no log grows. */
const [shortestPoll, longestPoll] = [20, 1_000];

/**
 * Milliseconds after which the sinks of a tenant are looked at, even if its log has not grown: for
 * deliveries that another process asked for. Each sink is one read of the store. There is one read
 * in each period of the second number, so that many idle sinks cost no more.
 */
const [sweepTime, sweepPause] = [60_000, 400];

/** How many tenants and sinks have their turn at once: this leaves room for requests. */
const turnsAtOnce = 32;

/** How many tenants one read returns. */
const pageSize = 10_000;

/** Starts a relay to these sinks. It may run on any number of machines. */
export function startRelay({ context, watch }: Core, parts: RelayParts): Running {
  const { concurrency, environments, sinksOf, onFailure } = parts;
  const { timer } = context;
  const tasks = createTasks(timer, sweepTime);
  const places = new Map<string, Place>();
  const ends = new Map<string, string>();
  const forced = new Set<string>();
  /** Tenants with sinks, in the order of their last look. */
  const swept = new Map<string, Swept>();
  const relay: RelayContext = {
    context,
    timer,
    lease: newLease(context),
    turns: createSlots(timer, turnsAtOnce),
    slots: createSlots(timer, concurrency),
    isStopped: tasks.isStopped,
  };

  const fail = (problem: PortProblem, about: Omit<RelayFailure, 'cause'> = {}): 'failed' => {
    onFailure({ ...about, cause: problem.cause ?? problem });
    return 'failed';
  };

  const wakePlace = (place: Place, isForced: boolean) => {
    const { tenant, sink } = place;
    const { consumer } = sink;
    place.isForced ||= isForced;
    tasks.wake(placeName(tenant, sink), async () => {
      const again = await consume(relay, place);
      return again.isOk() ? again.value : fail(again.error, { tenant, consumer });
    });
  };

  const wakeSink = (tenant: Tenant, sink: Sink, isForced: boolean): Place => {
    const name = placeName(tenant, sink);
    const place: Place = places.get(name) ?? { tenant, sink, isForced };
    places.set(name, place);
    place.sink = sink;
    wakePlace(place, isForced);
    return place;
  };

  const wakeTenant = (tenant: Tenant, isForced: boolean) => {
    if (!environments.includes(tenant.environment)) return;
    const name = nameOf(tenant);
    if (isForced) forced.add(name);
    const readSinks = async () => {
      if (tasks.isStopped()) return Number.POSITIVE_INFINITY;
      const sinks = await sinksOf(tenant);
      if (sinks.isErr()) return fail(sinks.error, { tenant });
      // after the read, so that it counts for wakes during the read, too
      const areForced = forced.delete(name);
      const at = (areForced ? undefined : swept.get(name)?.at) ?? timer.now();
      if (areForced || sinks.value.length === 0) swept.delete(name);
      const own = sinks.value.map((sink) => wakeSink(tenant, sink, areForced));
      if (own.length > 0) swept.set(name, { places: own, at });
      return Number.POSITIVE_INFINITY;
    };
    tasks.wake(name, () => relay.turns(name, readSinks));
  };

  /** Wakes the places that have work, as far as one read of each tells. */
  const lookAt = (name: string, own: readonly Place[]) => {
    const lookAtEach = async () => {
      for (const place of own) {
        if (tasks.isStopped()) break;
        const { tenant, sink } = place;
        const { consumer } = sink;
        const now = formatTimestamp(timer.now());
        const due = await context.ports.due(tenant, 'delivery', now, 1, consumer);
        if (due.isErr()) return fail(due.error, { tenant, consumer });
        const isRead = place.readTo === ends.get(name);
        if (!isRead || due.value.length > 0) wakePlace(place, true);
      }
      return Number.POSITIVE_INFINITY;
    };
    // no other task has this name: every consumer has a name
    tasks.wake(`${name}\0`, () => relay.turns(name, lookAtEach));
  };

  let poll = shortestPoll;
  let sweptUpTo = timer.now();
  /** Looks at tenants with sinks again, the oldest look first, as many as are allowed by now. */
  const sweep = () => {
    const now = timer.now();
    for (const [name, { places: own, at }] of swept) {
      if (sweptUpTo > now || now - at < sweepTime) return;
      // idle time is not saved up for later
      sweptUpTo = Math.max(sweptUpTo, now - longestPoll) + own.length * sweepPause;
      swept.delete(name);
      swept.set(name, { places: own, at: now });
      lookAt(name, own);
    }
  };
  const look = async () => {
    sweep();
    let hasGrown = false;
    for await (const page of pagesOfTenants(context)) {
      if (page.isErr()) return fail(page.error);
      for (const { tenant, end } of page.value) {
        const isFirst = !ends.has(nameOf(tenant));
        const isNew = ends.get(nameOf(tenant)) !== end;
        ends.set(nameOf(tenant), end);
        hasGrown ||= isNew;
        // a tenant that is seen for the first time may have due deliveries already
        if (isNew) wakeTenant({ ...tenant }, isFirst);
      }
    }
    poll = hasGrown ? shortestPoll : Math.min(poll * 2, longestPoll);
    return timer.now() + poll;
  };
  const lookAgain = () => tasks.wake('look', look);

  const wake: WakeListener = (tenant, isForced) => {
    if (tenant === undefined) lookAgain();
    else wakeTenant({ environment: tenant.environment, partner: tenant.partner }, isForced);
  };
  const stopWatching = watch?.((tenant) => wake(tenant, false));
  const stopListening = context.wakes.listen(wake);
  lookAgain();

  return {
    async stop() {
      stopWatching?.();
      stopListening();
      await tasks.stop();
      const owned = [...places.values()].filter((each) => each.owned !== undefined);
      await Promise.all(
        owned.map(({ tenant, sink }) =>
          release({ ports: context.ports, tenant, sink, lease: relay.lease }),
        ),
      );
    },
  };
}

const placeName = (tenant: Tenant, { consumer }: Pick<Sink, 'consumer'>) =>
  `${nameOf(tenant)}\0${consumer}`;

/** A tenant with sinks, and when it was looked at. */
interface Swept {
  readonly places: readonly Place[];
  readonly at: number;
}

function newLease({ ports }: Context): string {
  const id = ports.nextId();
  if (id.isErr()) throw new TypeError('a relay needs ids', { cause: id.error.cause });
  return id.value;
}

async function* pagesOfTenants({
  ports,
}: Context): AsyncGenerator<Result<readonly TenantLog[], PortProblem>> {
  let after: Tenant | undefined;
  for (;;) {
    const page = await ports.tenants(after, pageSize);
    yield page;
    if (page.isErr() || page.value.length < pageSize) return;
    after = page.value.at(-1)?.tenant;
  }
}
