import type { Answer, PortFailure } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { createGatherer } from '../sql/gather.js';
import { tell } from '../sql/observe.js';
import { codeOf, failureOf, kindOf } from './failures.js';
import type { SqliteSettings } from './options.js';
import type { Attempt, Transact, Write } from './transactions.js';

/** The reads and writes of a store. */
export interface Connection {
  /** Reads at once, or later if another connection holds a lock that blocks readers. */
  read<T>(name: string, body: () => T): Answer<T>;
  write<T>(write: Write<T>): Answer<T>;
}

/** A write on its way, with the time at which it is given up. */
interface Due {
  readonly write: Write<unknown>;
  readonly until: number;
}

type Answered = Result<unknown, PortFailure>;

/** Milliseconds between two attempts to get a lock. */
const longestPause = 50;

/**
 * Makes a connection read and write: writes of one turn together, repeated while the database is
 * busy.
 */
export function createConnection(
  transact: Transact,
  { gather, busyTimeout, hooks }: SqliteSettings,
): Connection {
  const report = (name: string, rows: number, since: number, retries: number, code?: string) => {
    const outcome = code === undefined ? ('ok' as const) : ('failed' as const);
    const milliseconds = performance.now() - since;
    const told = code === undefined || code === '' ? {} : { code };
    tell(hooks, { statement: name, rows, milliseconds, retries, outcome, ...told });
  };

  const attempt = (batch: readonly Due[], retries: number): Attempt<unknown> => {
    const since = performance.now();
    const writes = batch.map(({ write }) => write);
    const made = transact(writes);
    // a busy attempt is reported once it is given up
    if (hooks.onStatement !== undefined && made.state !== 'busy') {
      report(nameOf(batch), batch.length, since, retries, codeIn(made));
    }
    return made;
  };

  /** Repeats writes that met a lock, until the time of each is over. */
  const persist = async (batch: readonly Due[], first?: Attempt<unknown>): Promise<Answered[]> => {
    let made = first ?? attempt(batch, 0);
    const since = performance.now();
    let open = batch;
    const late = new Map<Due, Answered>();
    for (let retries = 1; made.state === 'busy'; retries += 1) {
      const now = performance.now();
      const over = open.filter(({ until }) => until <= now);
      for (const each of over) late.set(each, err(made.failure));
      if (over.length > 0) report(nameOf(over), over.length, since, retries - 1, codeIn(made));
      open = open.filter(({ until }) => until > now);
      if (open.length === 0) break;
      await pause(Math.random() * Math.min(longestPause, 2 ** retries));
      made = attempt(open, retries);
    }
    const settled = await settle(open, made);
    const answers = new Map(open.map((each, at) => [each, settled[at] as Answered]));
    return batch.map((each) => late.get(each) ?? (answers.get(each) as Answered));
  };
  /** If one write is to blame, each is sent alone, so that only that one fails. */
  const settle = async (batch: readonly Due[], made: Attempt<unknown>): Promise<Answered[]> => {
    if (made.state === 'committed') return made.outcomes.map((outcome) => ok(outcome));
    if (made.state !== 'own' || batch.length < 2) return batch.map(() => err(made.failure));
    const answers: Answered[] = [];
    for (const each of batch) answers.push(...(await persist([each])));
    return answers;
  };

  const gathered = gather && createGatherer({ ...gather, run: persist });
  return {
    write<T>(write: Write<T>): Answer<T> {
      const due = { write, until: performance.now() + busyTimeout };
      if (gathered !== undefined) return gathered(due) as Promise<Result<T, PortFailure>>;
      const made = attempt([due], 0);
      if (made.state === 'committed') return ok(made.outcomes[0] as T);
      if (made.state !== 'busy') return err(made.failure);
      return persist([due], made).then(([answer]) => answer as Result<T, PortFailure>);
    },
    read<T>(name: string, body: () => T): Answer<T> {
      const since = performance.now();
      const look = (retries: number): Result<T, unknown> => {
        try {
          const value = body();
          report(name, 1, since, retries);
          return ok(value);
        } catch (cause) {
          if (kindOf(cause) !== 'busy') report(name, 1, since, retries, codeOf(cause) ?? '');
          return err(cause);
        }
      };
      const lookAgain = async (): Promise<Result<T, PortFailure>> => {
        for (let retries = 1; ; retries += 1) {
          await pause(Math.random() * Math.min(longestPause, 2 ** retries));
          const read = look(retries);
          const isOver = performance.now() > since + busyTimeout;
          if (read.isOk() || isOver || kindOf(read.error) !== 'busy') return failed(read);
        }
      };
      const read = look(0);
      return read.isErr() && kindOf(read.error) === 'busy' ? lookAgain() : failed(read);
    },
  };
}

function failed<T>(read: Result<T, unknown>): Result<T, PortFailure> {
  return read.mapErr((cause) => failureOf(cause, 'none'));
}

/** The name of a batch for a host: the name of its writes if they are alike. */
function nameOf(batch: readonly Due[]): string {
  const name = batch[0]?.write.name ?? 'writes';
  return batch.every(({ write }) => write.name === name) ? name : 'writes';
}

/** The code of a failure, empty if the driver gives none. */
function codeIn(made: Attempt<unknown>): string | undefined {
  return made.state === 'committed' ? undefined : (made.code ?? '');
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
