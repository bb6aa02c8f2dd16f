import { createMarketplace } from 'dealwright';
import type { Store } from 'dealwright/ports';
import { describe, expect, it } from 'vitest';
import { acme } from '../faces/world.js';
import { amending, type Offered, okOf, refusalOf, withOffer } from './terms-world.js';

/** Another process, before whose first write the deal changes. */
function interrupted({ ports, payment_token }: Offered, before: () => Promise<unknown>) {
  let isFirst = true;
  const store: Store = {
    ...ports.store,
    async commit(...write) {
      if (isFirst) {
        isFirst = false;
        await before();
      }
      return ports.store.commit(...write);
    },
  };
  const marketplace = createMarketplace({ ...ports, store });
  return {
    api: marketplace.partner(acme),
    freelancer: marketplace.freelancer('sandbox', payment_token),
  };
}

describe('a deal whose terms change while its freelancer accepts it', () => {
  it('is not accepted: the freelancer has not seen them', async () => {
    for (const isNamed of [false, true]) {
      const deal = await withOffer();
      const { terms_sha256 } = await okOf(deal.freelancer.view());
      const amend = () => deal.propose('partner', amending({ amount: '1' }));
      const { freelancer } = interrupted(deal, amend);
      const late = freelancer.accept(isNamed ? { terms_sha256 } : {});
      expect(await refusalOf(late)).toBe('precondition_failed terms_changed');
      expect(await deal.details()).toMatchObject({ status: 'created', terms_version: 2 });
    }
  });
});

describe('a proposal that is decided twice at once', () => {
  it('is accepted or withdrawn, and not both', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const one = await deal.propose('partner', amending({ title: 'One' }));
    const { freelancer } = interrupted(deal, () =>
      okOf(deal.api.withdrawProposal(deal.partner_id, one.id)),
    );
    const { id, terms_sha256 } = one;
    expect(await refusalOf(freelancer.acceptProposal(id, { terms_sha256 }))).toBe(
      'illegal_transition withdrawn',
    );
    const two = await deal.propose('partner', amending({ title: 'Two' }));
    const { api } = interrupted(deal, () => okOf(deal.accept('freelancer', two)));
    expect(await refusalOf(api.withdrawProposal(deal.partner_id, two.id))).toBe(
      'illegal_transition accepted',
    );
    expect((await deal.details()).title).toBe('Two');
  });

  it('is accepted once by two calls with one key, and by two without', async () => {
    for (const options of [{ idempotencyKey: 'key-1' }, {}]) {
      const deal = await withOffer();
      await deal.acceptOffer();
      const one = await deal.propose(
        'partner',
        amending({ stages: [{ name: 'New', budget: '5' }] }),
      );
      const { id, terms_sha256 } = one;
      const accept = (each: Pick<Offered, 'freelancer'>) =>
        okOf(each.freelancer.acceptProposal(id, { terms_sha256 }, options));
      const answers: unknown[] = [];
      const other = interrupted(deal, async () => answers.push(await accept(deal)));
      answers.push(await accept(other));
      expect(answers[1]).toStrictEqual(answers[0]);
      expect(await deal.details()).toMatchObject({ terms_version: 2, amount: '5.00' });
      expect(await deal.stages()).toHaveLength(2);
    }
  });

  it('is accepted for the terms that were proposed, or not at all', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const one = await deal.propose('partner', amending({ title: 'One' }));
    const { freelancer } = interrupted(deal, () =>
      okOf(deal.api.addBonus(deal.partner_id, { amount: '5' })),
    );
    const { id, terms_sha256 } = one;
    expect(await refusalOf(freelancer.acceptProposal(id, { terms_sha256 }))).toBe(
      'illegal_transition superseded',
    );
    expect((await deal.details()).title).not.toBe('One');
  });
});

describe('two proposals at once', () => {
  it('supersede each other, whichever comes first', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const { api } = interrupted(deal, () => deal.propose('freelancer', amending({ title: 'One' })));
    const late = await okOf(api.propose(deal.partner_id, amending({ title: 'Two' })));
    const { results } = await okOf(deal.api.listProposals(deal.partner_id));
    expect(results.map(({ status }) => status)).toEqual(['open', 'superseded']);
    expect(late.supersedes).toBe(results[1]?.id);
  });

  it('in an offer: the partner’s ends the one that its freelancer has made', async () => {
    const deal = await withOffer();
    const { id } = await deal.propose('freelancer', amending({ amount: '900' }));
    const count = (await deal.events()).length;
    const own = await deal.propose('partner', amending({ amount: '600' }));
    expect(own).toMatchObject({ status: 'accepted', supersedes: id });
    expect(await deal.typesAfter(count)).toEqual([
      ...['proposal.superseded', 'proposal.created', 'proposal.accepted', 'deal.amended'],
    ]);
    expect(await deal.details()).toMatchObject({ status: 'created', amount: '600.00' });
  });
});

describe('the events of proposals', () => {
  it('are seen by the freelancer without the employer’s business', async () => {
    const deal = await withOffer();
    await deal.acceptOffer();
    const { id, terms_sha256 } = await deal.propose('partner', amending({ title: 'x' }, 'Please'));
    await okOf(deal.freelancer.acceptProposal(id, { terms_sha256, message: 'Fine' }));
    const { results } = await okOf(deal.freelancer.listEvents());
    const base = { status: 'accepted', freelancer_status: 'accepted' };
    const about = { ...base, proposal_id: id, kind: 'amendment', by: 'partner', terms_sha256 };
    expect(results.slice(-3).map(({ type, actor, data }) => [type, actor, data])).toStrictEqual([
      ['proposal.created', 'partner', { ...about, message: 'Please' }],
      ['proposal.accepted', 'freelancer', { ...about, message: 'Fine' }],
      ['deal.amended', 'freelancer', { ...base, terms_version: 2, proposal_id: id, stage_ids: [] }],
    ]);
  });
});
