import { createMarketplace } from 'dealwright';
import type { DealwrightOptions } from 'dealwright/host';
import { createDealwright } from 'dealwright/host';
import { createHandler } from 'dealwright/http';
import { type CaseResult, VerifyError, verifiedLaws, verify } from 'dealwright/verify';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otherScene } from '../../spec/verify/concerns.js';
import { supposing } from '../../spec/verify/supposing.js';
import type { Exchange } from '../../spec/verify/transport.js';
import { type Promised, usualPromises } from '../../spec/wire/promised.js';
import { seed } from '../kit/seed.js';
import { countOf, isLong } from '../tiers.js';
import { inMemory } from './in-memory.js';
import { type Setting, settings } from './settings.js';

/** A long run judges by all laws; others by those that options concern most. */
const only = isLong ? '' : ['i1.0/deal', 'i2.0', '3', '6.3/money', '9.9', '10', '11.5'];

async function judged(options: DealwrightOptions) {
  const { results } = await verify({ ...inMemory(options), runs: 3, only });
  return {
    passed: results.filter(({ outcome }) => outcome === 'passed').length,
    failed: results.filter(({ outcome }) => outcome === 'failed').map(told),
  };
}

const told = ({ law, variant, reason, failure }: CaseResult) =>
  [law.id, variant, reason, failure?.message, failure?.curl, failure?.answer].join('\n');

/** Those of a list that a run takes, by the seed. */
const some = <T>(all: readonly T[], count: number): readonly T[] =>
  fc
    .sample(fc.shuffledSubarray([...all], { minLength: Math.min(count, all.length) }), {
      seed,
      numRuns: 1,
    })[0]
    ?.slice(0, count) ?? [];

/** What a function says of an option that does not exist. */
function namesFrom(create: () => unknown): readonly string[] {
  try {
    create();
  } catch (error) {
    const [, names = ''] = /has no 'nothing', it takes ([\w, ]+)/.exec(String(error)) ?? [];
    return names.split(', ');
  }
  return [];
}

const given = { nothing: true };

describe('the options that a server is judged with', () => {
  const { marketplace, ports } = createDealwright();
  const known = new Set(settings.map(({ option }) => option));

  it('are those of createMarketplace', () => {
    const names = namesFrom(() => createMarketplace(ports, given as object));
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it('are those of createHandler', () => {
    const names = namesFrom(() =>
      createHandler(marketplace, { ...ports, authenticator: 'host', ...(given as object) }),
    );
    expect(names.length).toBeGreaterThan(20);
    expect(
      names.filter((name) => !known.has(name) && !(name in ports) && !others.has(name)),
    ).toEqual([]);
  });
});

/** Ports of a marketplace, which a handler does not use. */
const others = new Set(['payments', 'scanner', 'webhooks', 'secrets']);

const alone = some(settings, countOf('DEALWRIGHT_OPTIONS', 3, settings.length));

it.each(alone)(
  'raises no false alarm with $name',
  async ({ options }) => {
    const { passed, failed } = await judged(options);
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(20);
  },
  600_000,
);

const pairs = some(
  settings.flatMap((a, at) =>
    settings
      .slice(at + 1)
      .flatMap((b): (readonly [Setting, Setting])[] => (a.option === b.option ? [] : [[a, b]])),
  ),
  countOf('DEALWRIGHT_PAIRS', 1, 40),
).map(([a, b]) => ({ name: `${a.name}, ${b.name}`, options: { ...a.options, ...b.options } }));

it.each(pairs)(
  'raises no false alarm with $name',
  async ({ options }) => {
    const { passed, failed } = await judged(options);
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(20);
  },
  600_000,
);

describe('the promises of a server', () => {
  /** A server that keeps them to itself. */
  const silent = (options: DealwrightOptions) => {
    const { fetch = globalThis.fetch, ...others } = inMemory(options);
    return {
      ...others,
      fetch: async (...[input, init]: Parameters<typeof globalThis.fetch>) =>
        String(input).endsWith('/api/2.0/')
          ? Response.json({ code: 'not_found' }, { status: 404 })
          : fetch(input, init),
      only: '6.3/money/payout',
    };
  };

  it('come from the caller if the server does not tell them', async () => {
    const server = silent({ mode: 'prepaid' });
    const outcomes = async (options: object) =>
      new Set((await verify({ ...server, ...options })).results.map(({ outcome }) => outcome));
    expect([...(await outcomes({}))]).toContain('failed');
    expect([...(await outcomes({ promises: { mode: 'prepaid' } }))]).toEqual(['not_applicable']);
  });

  it.each([{ mode: 'later' }, { takes_fees: 'yes' }, { unheard_of: true }])(
    'that are none are refused: %j',
    async (promises) => {
      const judging = verify({ ...inMemory(), promises: promises as object });
      await expect(judging).rejects.toThrow(VerifyError);
    },
  );

  it('concern laws that exist', () => {
    const ids = verifiedLaws().map(({ id }) => id);
    const unknown = Object.values<readonly string[]>(supposing)
      .flat()
      .filter((each) => !ids.some((id) => id === each || id.startsWith(`${each}/`)));
    expect(unknown).toEqual([]);
  });
});

describe('the scene of a case', () => {
  const asked = (path: string, body: object, status: number, answer: object = {}): Exchange => ({
    method: 'POST',
    url: `https://deals.example.com/api/2.0/deal/order-1/${path}/`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    status,
    answer: new TextEncoder().encode(JSON.stringify(answer)),
  });
  const notPaid = { code: 'precondition_failed', reason: 'not_paid' };
  const noStage = { code: 'validation_failed', errors: [{ path: ['stage_id'], code: 'required' }] };
  const unsplit = { code: 'precondition_failed', reason: 'stages_required' };
  const tooLarge = { code: 'payload_too_large' };
  const deliver = asked('deliver', {}, 409, notPaid);
  const [law = fail()] = verifiedLaws().filter(({ id }) => id === '6.1/life/to-the-approval');
  const promisedBy = (more: Partial<Promised>): Promised => ({ ...usualPromises, ...more });
  const prepaid = promisedBy({ mode: 'prepaid' });
  const split = promisedBy({ splits_deals: true });
  const small = promisedBy({ max_body_size: 100 });
  const long = { description: 'x'.repeat(100) };

  function fail(): never {
    throw new Error('there is no such law');
  }

  it.each<readonly [string, Promised, readonly Exchange[]]>([
    ['work before its payment', prepaid, [deliver]],
    ['a file for none of several stages', split, [asked('file', {}, 400, noStage)]],
    ['an amount for several stages', split, [asked('proposal', {}, 409, unsplit)]],
    ['a body beyond the limit', small, [asked('file', long, 413, tooLarge)]],
  ])('is another if it has %s', (_, promised, exchanges) => {
    expect(otherScene(law, promised, exchanges)).toBeDefined();
    expect(otherScene(law, usualPromises, exchanges)).toBeUndefined();
  });

  it.each<readonly [string, Promised, readonly Exchange[]]>([
    [
      'work after its payment',
      prepaid,
      [asked('record-employer-payment', { status: 'paid' }, 200), deliver],
    ],
    ['another command', prepaid, [asked('approve', {}, 409, notPaid)]],
    ['a file for one stage', split, [asked('file', { stage_id: 7 }, 400, noStage)]],
    ['the stages', split, [asked('proposal', { changes: { stages: [] } }, 409, unsplit)]],
    ['a body within the limit', small, [asked('file', {}, 413, tooLarge)]],
  ])('is not another if %s is refused', (_, promised, exchanges) => {
    expect(otherScene(law, promised, exchanges)).toBeUndefined();
  });
});
