import type { Result } from 'neverthrow';
import type { Environment, Tenant } from '../domain/tenant.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { Store, TenantLog } from '../ports/store.js';
import type { Timer } from '../ports/timer.js';
import type { Context } from '../usecases/context.js';
import type { WakeListener } from '../usecases/wakes.js';
import { consume, type Place, type RelayContext } from './consume.js';
import { release } from './lease.js';
import type { RelayFailure } from './relay-options.js';
import type { Sink } from './sink.js';
import { createSlots } from './slots.js';
import { createTasks } from './tasks.js';

/** A relay, or a subscription, that is running. */
export interface Running {
  /** Begins nothing any more, and resolves once nothing is under way. */
  stop(): Promise<void>;
}

/** What a relay is made of. */
export interface RelayParts {
  readonly context: Context;
  readonly timer: Timer;
  readonly watch: Store['watch'];
  /** How many deliveries are under way at once. */
  readonly concurrency: number;
  /** Those of other environments get nothing. */
  readonly environments: readonly Environment[];
  sinksOf(tenant: Tenant): Promise<Result<readonly Sink[], PortProblem>>;
  onFailure(failure: RelayFailure): unknown;
}

/** Milliseconds between two looks at the ends of all logs: doubled for as long as nothing has come. */
const [shortestPoll, longestPoll] = [20, 1_000];

/**
 * Milliseconds after which a tenant with sinks is looked at, even if its log has not grown: for what
 * was asked for elsewhere. It is the turn of one each time that the second number has passed, so that
 * what is idle costs no more with many of them.
 */
const [sweepTime, sweepPause] = [60_000, 500];

/** How many tenants are read at once. */
const pageSize = 10_000;

/** Starts a relay of what these sinks want. It may run on any number of machines. */
export function startRelay(parts: RelayParts): Running {
  const { context, timer, watch, concurrency, environments, sinksOf, onFailure } = parts;
  const tasks = createTasks(timer, sweepTime);
  const places = new Map<string, Place>();
  const ends = new Map<string, string>();
  const forced = new Set<string>();
  /** Tenants with sinks, and when they were looked at: the one that has waited longest comes first. */
  const swept = new Map<string, { readonly tenant: Tenant; readonly at: number }>();
  const relay: RelayContext = {
    context,
    timer,
    lease: newLease(context),
    slots: createSlots(timer, concurrency),
    isStopped: tasks.isStopped,
  };

  const fail = (problem: PortProblem, about: Omit<RelayFailure, 'cause'> = {}): 'failed' => {
    onFailure({ ...about, cause: problem.cause ?? problem });
    return 'failed';
  };

  const wakeSink = (tenant: Tenant, sink: Sink, isForced: boolean) => {
    const { consumer } = sink;
    const name = `${nameOf(tenant)}\0${consumer}`;
    const place: Place = places.get(name) ?? { tenant, sink, isFresh: true, isForced };
    places.set(name, place);
    place.sink = sink;
    place.isFresh = true;
    place.isForced ||= isForced;
    tasks.wake(name, async () => {
      const again = await consume(relay, place);
      return again.isOk() ? again.value : fail(again.error, { tenant, consumer });
    });
  };

  const wakeTenant = (tenant: Tenant, isForced: boolean) => {
    if (!environments.includes(tenant.environment)) return;
    const name = nameOf(tenant);
    if (isForced) forced.add(name);
    tasks.wake(name, async () => {
      const sinks = await sinksOf(tenant);
      if (sinks.isErr()) return fail(sinks.error, { tenant });
      // after the read, so that it counts for those who were woken meanwhile, too
      const areForced = forced.delete(name);
      swept.delete(name);
      if (sinks.value.length > 0) swept.set(name, { tenant, at: timer.now() });
      for (const sink of sinks.value) wakeSink(tenant, sink, areForced);
      return Number.POSITIVE_INFINITY;
    });
  };

  let poll = shortestPoll;
  let sweptAt = timer.now();
  /** Looks at tenants with sinks again, the longest ago first, as many as may be by now. */
  const sweep = () => {
    const now = timer.now();
    let left = Math.floor((now - sweptAt) / sweepPause);
    if (left > 0) sweptAt = now;
    for (const { tenant, at } of swept.values()) {
      if (left <= 0 || now - at < sweepTime) return;
      left -= 1;
      wakeTenant(tenant, true);
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
        // of one that is seen for the first time something may be due already
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
        owned.map(({ tenant, sink }) => release(context, tenant, sink, relay.lease, timer.now())),
      );
    },
  };
}

function nameOf({ environment, partner }: Tenant): string {
  // no text of a tenant or a consumer has U+0000
  return `${environment}\0${partner}`;
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
