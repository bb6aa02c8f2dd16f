import type { AmendmentInput } from 'dealwright';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { changesOf, type Wanted, wantedFrom } from '../../adapters/pages/app/base/wanted.js';
import { seed } from '../kit/seed.js';
import { okOf, withOffer } from '../usecases/terms-world.js';

const word = fc.string({ maxLength: 12 }).map((text) => `n${text}`);
const budget = fc.integer({ min: 1, max: 90_000 }).map((cents) => (cents / 100).toFixed(2));
const work_days = fc.integer({ min: 1, max: 60 });
const added = fc.record({ name: word, budget, work_days }, { requiredKeys: ['name', 'budget'] });
const others = fc.record(
  { title: word, description: word, copyright_transfer: fc.constantFrom('license', 'none') },
  { requiredKeys: [] },
);

/** The stages of a deal, and what its client asks for: some of them, changed or not, and more. */
const asked = fc.record({
  now: fc.array(fc.record({ name: word, budget, work_days }), { minLength: 1, maxLength: 4 }),
  kept: fc.array(fc.option(fc.record({ name: word, budget }, { requiredKeys: [] })), {
    ...{ minLength: 4, maxLength: 4 },
  }),
  added: fc.array(added, { minLength: 1, maxLength: 3 }),
  others,
});

const amending = (changes: AmendmentInput) => ({ kind: 'amendment', changes }) as const;

it.each([
  ['partner', 'freelancer'],
  ['freelancer', 'partner'],
] as const)('a counter-offer to the %s starts with the whole proposal', async (other, own) => {
  await fc.assert(
    fc.asyncProperty(asked, async ({ now, kept, added: more, others: rest }) => {
      const deal = await withOffer();
      await deal.propose('partner', amending({ stages: now }));
      await deal.acceptOffer();
      const living = (await deal.stages()).filter(({ status }) => status !== 'cancelled');
      const stay = living.flatMap(({ id }, at) => (kept[at] == null ? [] : [{ id, ...kept[at] }]));
      const { terms } = await deal.propose(
        other,
        amending({ ...rest, stages: [...stay, ...more] }),
      );
      const seen = own === 'partner' ? await deal.details() : await okOf(deal.freelancer.view());
      const counter = amending(changesOf(seen, wantedFrom(seen, other)));
      expect((await deal.propose(own, counter)).terms).toEqual(terms);
    }),
    { seed, numRuns: 30 },
  );
});

it('says what was typed, and nothing as long as nothing was', async () => {
  const offer = await okOf((await withOffer()).freelancer.view());
  const first = wantedFrom(offer, 'partner');
  expect(changesOf(offer, first)).toEqual({});
  const withStage = (own: Partial<Wanted['stages'][number]>): Wanted => ({
    ...first,
    stages: first.stages.map((stage) => ({ ...stage, ...own })),
  });
  const [{ id = 0 } = {}] = offer.stages;
  expect(changesOf(offer, withStage({ budget: '1 250,50', days: ' ' }))).toEqual({
    stages: [{ id, budget: '1250.50' }],
  });
  expect(changesOf(offer, withStage({ days: '7', name: 'Draft' }))).toEqual({
    stages: [{ id, name: 'Draft', work_days: 7 }],
  });
  expect(changesOf(offer, withStage({ isIn: false }))).toEqual({ stages: [] });
  expect(changesOf(offer, { ...first, title: 'Two pages', rights: 'none' })).toEqual({
    ...{ title: 'Two pages', copyright_transfer: 'none' },
  });
});
