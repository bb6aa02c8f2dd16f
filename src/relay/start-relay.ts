import type { Result } from 'neverthrow';
import type { Environment, Tenant } from '../domain/tenant.js';
import type { PortProblem } from '../ports/port-problem.js';
import type { Store, TenantLog } from '../ports/store.js';
import type { Timer } from '../ports/timer.js';
import type { Context } from '../usecases/context.js';
import type { WakeListener } from '../usecases/wakes.js';
import { consume, type Place, type RelayContext } from './consume.js';
import { release } from './lease.js';
import type { Sink } from './sink.js';
import { createSlots } from './slots.js';

/** A relay, or a subscription, that is running. */
export interface Running {
  /** Begins nothing any more, and resolves once nothing is under way. */
  stop(): Promise<void>;
}

/** What a relay could not do; it is tried again. */
export interface RelayFailure {
  /** Whose events, where it is about one partner. */
  readonly tenant?: Tenant;
  /** `webhook:<id>` or `subscription:<name>`, where it is about one. */
  readonly consumer?: string;
  /** What a port threw or answered, or the handler. */
  readonly cause: unknown;
}

/** How webhooks are relayed. */
export interface WebhookRelayOptions {
  /** How many requests are under way at once; default 64. Those that hang do not count. */
  readonly concurrency?: number;
  /** Default: both. */
  readonly environments?: readonly Environment[];
  /** Told of ports that fail; what a receiver answers is in the deliveries of its webhook. */
  readonly onFailure?: (failure: RelayFailure) => unknown;
}

/** What a relay is made of. */
export interface RelayParts {
  readonly context: Context;
  readonly timer: Timer;
  readonly watch: Store['watch'];
  /** How many deliveries are under way at once. */
  readonly concurrency: number;
  sinksOf(tenant: Tenant): Promise<Result<readonly Sink[], PortProblem>>;
  onFailure(failure: RelayFailure): unknown;
}

/** Milliseconds between two looks at the ends of all logs: doubled for as long as nothing has come. */
const [shortestPoll, longestPoll] = [20, 1_000];

/** Milliseconds after which every tenant is looked at, whatever its log says: for what is due. */
const sweepTime = 60_000;

/** Milliseconds after which something that failed is tried again. */
const pauseAfterFailure = 1_000;

/** The least pause between two runs of one piece of work. */
const shortestPause = 10;

/** How many tenants are read at once. */
const pageSize = 1_000;

/** One piece of work: a tenant, or a consumer of one. */
interface Task {
  isRunning: boolean;
  isWoken: boolean;
  running: Promise<void>;
  cancel(): void;
}

/** Starts a relay of what these sinks want. It may run on any number of machines. */
export function startRelay(parts: RelayParts): Running {
  const { context, timer, watch, concurrency, sinksOf, onFailure } = parts;
  let isStopped = false;
  const tasks = new Map<string, Task>();
  const places = new Map<string, Place>();
  const ends = new Map<string, string>();
  const relay: RelayContext = {
    context,
    timer,
    lease: newLease(context),
    slots: createSlots(timer, concurrency),
    isStopped: () => isStopped,
  };

  /** Runs a piece of work, once at a time; one that is woken meanwhile runs again. */
  const wakeTask = (name: string, work: () => Promise<number | undefined>) => {
    if (isStopped) return;
    const task = tasks.get(name) ?? {
      isRunning: false,
      isWoken: false,
      running: done,
      cancel() {},
    };
    tasks.set(name, task);
    task.isWoken = true;
    if (task.isRunning) return;
    task.isRunning = true;
    task.cancel();
    const run = async () => {
      let again: number | undefined;
      while (task.isWoken && !isStopped) {
        task.isWoken = false;
        again = await work();
      }
      task.isRunning = false;
      if (again === undefined || isStopped) return;
      const pause = Math.max(shortestPause, Math.min(again - timer.now(), sweepTime));
      task.cancel = timer.sleep(pause, () => wakeTask(name, work));
    };
    task.running = run();
  };

  const fail = (failure: RelayFailure) => {
    // what a host does with a failure is no reason to stop
    void (async () => onFailure(failure))().catch(() => undefined);
    return timer.now() + pauseAfterFailure;
  };

  const wakeSink = (tenant: Tenant, sink: Sink, isForced: boolean) => {
    const { consumer } = sink;
    const name = `${nameOf(tenant)}\0${consumer}`;
    const place = places.get(name) ?? { tenant, sink, isFresh: true, owned: undefined, isForced };
    places.set(name, place);
    place.sink = sink;
    place.isFresh = true;
    place.isForced ||= isForced;
    wakeTask(name, async () => {
      const consumed = await consume(relay, place);
      if (consumed.isOk()) return consumed.value;
      return fail({ tenant, consumer, cause: consumed.error.cause ?? consumed.error });
    });
  };

  const wakeTenant = (tenant: Tenant, isForced: boolean) => {
    wakeTask(nameOf(tenant), async () => {
      const sinks = await sinksOf(tenant);
      if (sinks.isErr()) return fail({ tenant, cause: sinks.error.cause ?? sinks.error });
      for (const sink of sinks.value) wakeSink(tenant, sink, isForced);
      return undefined;
    });
  };

  let poll = shortestPoll;
  let sweptAt = 0;
  const look = async (): Promise<number> => {
    const isSweep = timer.now() - sweptAt >= sweepTime;
    if (isSweep) sweptAt = timer.now();
    let hasGrown = false;
    for await (const page of pagesOfTenants(context)) {
      if (page.isErr()) return fail({ cause: page.error.cause ?? page.error });
      for (const { tenant, end } of page.value) {
        const isNew = ends.get(nameOf(tenant)) !== end;
        ends.set(nameOf(tenant), end);
        hasGrown ||= isNew;
        if (isNew || isSweep) wakeTenant({ ...tenant }, isSweep);
      }
    }
    poll = hasGrown ? shortestPoll : Math.min(poll * 2, longestPoll);
    return timer.now() + poll;
  };
  const lookAgain = () => wakeTask('look', look);

  const wake: WakeListener = (tenant, isForced) => {
    if (tenant === undefined) lookAgain();
    else wakeTenant({ environment: tenant.environment, partner: tenant.partner }, isForced);
  };
  const stopWatching = watch?.((tenant) => wake(tenant, false));
  const stopListening = context.wakes.listen(wake);
  lookAgain();

  return {
    async stop() {
      isStopped = true;
      stopWatching?.();
      stopListening();
      for (const { cancel } of tasks.values()) cancel();
      await Promise.all([...tasks.values()].map(({ running }) => running));
      const owned = [...places.values()].filter((each) => each.owned !== undefined);
      await Promise.all(
        owned.map(({ tenant, sink }) =>
          release(context, tenant, sink.consumer, relay.lease, timer.now()),
        ),
      );
    },
  };
}

const done = Promise.resolve();

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
