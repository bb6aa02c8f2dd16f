import { verify } from 'dealwright/verify';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { inMemory } from './in-memory.js';
import { answering, pathOf, withHeaders, withMembers } from './mutants/changes.js';

const deal = '/api/2.0/deal/[^/]+/';
const operations: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/api/1.0/contractor/'],
  ['POST', '/api/1.0/deal/'],
  ['GET', '/api/1.0/deal/[^/]+/'],
  ['GET', '/api/1.0/category/'],
  ['POST', '/api/1.0/deal/[^/]+/file/'],
  ['POST', '/api/2.0/deal/'],
  ['GET', '/api/2.0/deal/'],
  ['GET', deal],
  ['GET', '/api/2.0/category/'],
  ['POST', `${deal}file/`],
  ['GET', `${deal}file/`],
  ['POST', `${deal}(?:approve|cancel|dispute|deliver|request-changes)/`],
  ['GET', `${deal}event/`],
  ['GET', '/api/2.0/event/'],
  ['GET', '/api/2.0/offer/'],
  ['POST', '/api/2.0/offer/(?:accept|decline|deliver)/'],
  ['GET', '/operator/[^/]+/deal/[^/]+/'],
  ['POST', '/operator/[^/]+/deal/[^/]+/[a-z-]+/'],
  ['POST', '/api/2.0/sandbox/clock/'],
];

type Members = Record<string, unknown>;

/** The record in an answer: its data, or the first of its list. */
function recordIn({ data }: Members): Members | undefined {
  const { results } = Object(data) as Members;
  const [first] = Array.isArray(results) ? results : Array.isArray(data) ? data : [data];
  return first === undefined ? undefined : (Object(first) as Members);
}

/** Deviations of a successful answer, by a number that was drawn. */
const deviations: Readonly<
  Record<string, (response: Response, draw: number) => Response | Promise<Response>>
> = {
  status: ({ body, status, headers }, draw) =>
    new Response(body, {
      status: [200, 201, 202, 203].filter((each) => each !== status)[draw % 3] ?? 202,
      headers,
    }),
  header: (response, draw) =>
    withHeaders(response, { [['content-type', 'x-request-id'][draw % 2] ?? '']: undefined }),
  member: (response, draw) =>
    withMembers(response, (members) => {
      const record = recordIn(members);
      const names = Object.keys(record ?? {}).sort();
      if (record !== undefined) delete record[names[draw % names.length] ?? ''];
      return members;
    }),
  type: (response, draw) =>
    withMembers(response, (members) => {
      const record = recordIn(members);
      const names = Object.keys(record ?? {}).sort();
      const name = names[draw % names.length] ?? '';
      if (record !== undefined) record[name] = [record[name]];
      return members;
    }),
  envelope: (response) => withMembers(response, ({ data }) => ({ answer: data })),
};

const chance = fc.record({
  operation: fc.constantFrom(...operations),
  kind: fc.constantFrom(...Object.keys(deviations)),
  draw: fc.nat(997),
});

const count = Number(process.env['DEALWRIGHT_CHANCES'] ?? 20);

it(`finds at least 95 % of ${count} deviations that are drawn by chance`, async () => {
  const drawn = fc.sample(chance, { numRuns: count });
  const missed: string[] = [];
  for (const { operation, kind, draw } of drawn) {
    const [method, path] = operation;
    const pattern = new RegExp(`^${path}$`);
    const deviates = answering((response, request) =>
      response.ok && request.method === method && pattern.test(pathOf(request))
        ? (deviations[kind]?.(response, draw) ?? response)
        : response,
    );
    const { fetch: forward = globalThis.fetch, ...options } = inMemory();
    const mutant = deviates((request) => forward(request));
    const found = new Error('found');
    const judged = verify({
      ...options,
      runs: 5,
      fetch: async (input, init) => mutant(new Request(input, init)),
      onResult(result) {
        // one is enough
        if (result.outcome === 'failed') throw found;
      },
    });
    const failure = await judged.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure !== undefined && failure !== found) throw failure;
    if (failure === undefined) missed.push(`${kind} ${draw} of ${method} ${path}`);
  }
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(count / 20);
}, 600_000);
