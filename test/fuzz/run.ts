import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { answersIn, askHeart, openWire } from './exchange.js';
import { checkAnswer } from './expectations.js';
import { type FuzzRequest, fuzzRequest } from './requests.js';
import { type FuzzAnswer, rowOf } from './rows.js';
import { createWorld, type World } from './world.js';

/** The figures of a run without a fault. */
export interface FuzzFigures {
  readonly seed: number;
  readonly requests: number;
  /** How many of them went over a socket. */
  readonly overSockets: number;
  readonly serverErrors: number;
  /** By row and status: `createDeal 201`. */
  readonly counts: ReadonlyMap<string, number>;
  readonly slowest: { readonly milliseconds: number; readonly request: string };
  /** Bytes of heap in use, garbage collected: once warm, and at the end. */
  readonly heap: { readonly warm: number; readonly end: number };
}

type Wire = Awaited<ReturnType<typeof openWire>>;

/** After so many requests, a service is replaced by a new one. */
const perWorld = 1000;
/** Milliseconds after which a request counts as unanswered. */
const deadline = 10_000;
/** After so many worlds, all caches are full. */
const warmUp = 4;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function heapInUse(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** The options of a run besides its number of requests. */
export interface FuzzOptions {
  readonly report?: (done: number) => void;
  /** A run goes on while its counts are too low, up to six times its length. */
  readonly isEnough?: (counts: FuzzFigures['counts']) => boolean;
}

/** Sends requests and checks each answer; rejects with a counterexample and how to repeat it. */
export async function runFuzz(
  wanted: number,
  seed: number,
  wirePercent: number,
  { report = () => undefined, isEnough = () => true }: FuzzOptions = {},
): Promise<FuzzFigures> {
  const counts = new Map<string, number>();
  let slowest = { milliseconds: 0, request: '' };
  let [done, overSockets, warm] = [0, 0, 0];
  const wire = await openWire();
  const note = (request: FuzzRequest, status: number, milliseconds: number) => {
    const key = `${rowOf(request)?.name ?? '(none)'} ${status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    done += 1;
    if (request.wire !== 'none') overSockets += 1;
    // a request that stalls on purpose ends by a time-out
    if (request.wire === 'none' && milliseconds > slowest.milliseconds) {
      slowest = { milliseconds, request: `${request.method} ${request.target.slice(0, 100)}` };
    }
  };
  try {
    for (let round = 0; done < wanted || (done < 6 * wanted && !isEnough(counts)); round += 1) {
      const world = await createWorld();
      const property = fc.asyncProperty(fuzzRequest(world, wirePercent), async (request) => {
        const begun = performance.now();
        const status = await inTime(exchange(world, wire, request));
        note(request, status, performance.now() - begun);
      });
      const numRuns = done < wanted ? Math.min(perWorld, wanted - done) : perWorld;
      await fc.assert(property, { seed: seed + round, numRuns });
      if (round === warmUp) warm = heapInUse();
      report(done);
    }
    // the half of the server may be closed a moment later
    const end = performance.now() + 10_000;
    let left = await wire.connections();
    while (left > 0 && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      left = await wire.connections();
    }
    if (left > 0) throw new Error(`${left} connections are left`);
    const serverErrors = [...counts]
      .filter(([key]) => / 5\d\d$/.test(key))
      .reduce((sum, [, count]) => sum + count, 0);
    const heap = { warm, end: heapInUse() };
    return { seed, requests: done, overSockets, serverErrors, counts, slowest, heap };
  } finally {
    await wire.close();
  }
}

/** Sends one request and checks the answer. */
export async function exchange(world: World, wire: Wire, request: FuzzRequest): Promise<number> {
  if (request.wire === 'none') {
    const answer = await askHeart(world.handler, request);
    world.learn(request, answer);
    checkAnswer(world, request, answer);
    return answer.status;
  }
  const answers = answersIn(await wire.ask(world.handler, request));
  for (const answer of answers) checkWireAnswer(world, request, answer);
  const [first] = answers;
  if (first === undefined && request.wire !== 'lying') throw new Error('no answer');
  return first?.status ?? 0;
}

function checkWireAnswer(world: World, request: FuzzRequest, answer: FuzzAnswer): void {
  if (answer.status >= 500) throw new Error(`a ${answer.status} over a socket`);
  world.learn(request, answer);
  // bytes that are not HTTP get an answer of their own (ADR 0033); a wrong length may make it so
  const isRefusedByNode = [400, 408, 413, 417, 431].includes(answer.status);
  if (isRefusedByNode && answer.headers['content-language'] === undefined) return;
  if (request.wire === 'lying') return;
  const headers: Record<string, string> = {};
  // Node returns a target, and the trimmed value of a header, with one byte for each character
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = Buffer.from(value.trim()).toString('latin1');
  }
  const target = Buffer.from(request.target).toString('latin1');
  // headers of the connection are not part of the answer
  const { date: _, connection: __, ...told } = answer.headers;
  checkAnswer(world, { ...request, target, headers }, { ...answer, headers: told });
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${deadline} ms`)), deadline);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
