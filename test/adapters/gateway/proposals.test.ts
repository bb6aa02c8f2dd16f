import type { ProposalInput } from 'dealwright';
import { strictProfile } from 'dealwright/strict';
import { describe, expect, it } from 'vitest';
import { dealV2 } from '../../kit/requests.js';
import { errorOf, recording, through } from './asking.js';

const { partner_id } = dealV2;
const amendment = { kind: 'amendment', changes: { amount: '600' }, message: 'More.' } as const;

describe('a proposal', () => {
  it('goes to the service in its one form, and its answer comes back', async () => {
    const { fetch, sent } = recording();
    const api = through({ fetch });
    await api.createDealV2(dealV2);
    const proposal = (await api.propose(partner_id, amendment))._unsafeUnwrap();
    expect(JSON.parse(String(sent.at(-1)?.request.body))).toEqual({
      ...amendment,
      changes: { amount: '600.00' },
    });
    // nobody has accepted the deal yet
    expect(proposal).toMatchObject({ status: 'accepted', terms: { amount: '600.00' } });
    const { results } = (await api.listTerms(partner_id))._unsafeUnwrap();
    expect(results.map(({ kind }) => kind)).toEqual(['creation', 'amendment']);
    const { id } = proposal;
    expect(await errorOf(api.rejectProposal(partner_id, id))).toMatchObject({
      code: 'illegal_transition',
      proposal_status: 'accepted',
    });
  });

  it.each<[string, object, object]>([
    ['a profile', { profile: strictProfile }, { title: ' ' }],
    ['a limit', { descriptionLimit: 3 }, { description: 'Long' }],
    ['value sets', { valueSets: { copyright_transfer: ['all'] } }, { copyright_transfer: 'none' }],
  ])('that breaks %s of the gateway is not forwarded', async (_, rules, changes) => {
    const { fetch, sent } = recording();
    const api = through({ fetch, ...rules });
    const input = { kind: 'amendment', changes } as ProposalInput;
    const [name] = Object.keys(changes);
    expect(await errorOf(api.propose(partner_id, input))).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: ['changes', name] }],
    });
    expect(sent).toEqual([]);
  });
});
