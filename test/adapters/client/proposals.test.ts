import { createMarketplace, type PartnerApi, type ProposalInput } from 'dealwright';
import { createClient, createOperatorClient, createSandboxClient } from 'dealwright/client';
import { createFetchHandler } from 'dealwright/http';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { dealV2, tenant } from '../../kit/requests.js';
import { handlerOver, operators, operatorToken, tokenOf } from '../../kit/service.js';

/** A deal that was accepted, with its partner in process and over HTTP. */
async function openDeal(partner_id = dealV2.partner_id) {
  const marketplace = createMarketplace(createPorts());
  const inProcess = marketplace.partner(tenant);
  (await inProcess.createDealV2({ ...dealV2, partner_id }))._unsafeUnwrap();
  (await marketplace.sandbox(tenant).command(partner_id, 'freelancer', 'accept'))._unsafeUnwrap();
  const answer = createFetchHandler(handlerOver(marketplace, { operatorAuthenticator: operators }));
  const options = {
    baseUrl: 'https://deals.example.com',
    fetch: async (url: string, request: RequestInit) => answer(new Request(url, request)),
  };
  const token = tokenOf(tenant);
  return {
    inProcess,
    api: createClient({ ...options, token }),
    sandbox: createSandboxClient({ ...options, token }),
    operator: createOperatorClient({ ...options, token: operatorToken }).partner(tenant.partner),
  };
}

const title = { kind: 'amendment', changes: { title: 'Other' } } as const;

test.each([dealV2.partner_id, 'a/b', '..', 'by-id'])(
  'the deal %j is amended over HTTP, and read there as in process',
  async (partner_id) => {
    const { api, inProcess, sandbox, operator } = await openDeal(partner_id);
    const made = (await sandbox.propose(partner_id, 'freelancer', title))._unsafeUnwrap();
    expect((await api.retrieveProposal(partner_id, made.id))._unsafeUnwrap()).toEqual(made);
    const { id, terms_sha256 } = made;
    (await api.acceptProposal(partner_id, id, { terms_sha256 }))._unsafeUnwrap();
    (await api.addBonus(partner_id, { amount: '5.00' }))._unsafeUnwrap();
    for (const reads of [api, operator]) {
      expect(await reads.listProposals(partner_id)).toEqual(
        await inProcess.listProposals(partner_id),
      );
      expect(await reads.listTerms(partner_id, { page_size: 2 })).toEqual(
        await inProcess.listTerms(partner_id, { page_size: 2 }),
      );
    }
    const again = await sandbox.decideProposal(partner_id, 'partner', id, 'reject');
    expect(again._unsafeUnwrapErr()).toMatchObject({ proposal_status: 'accepted' });
  },
);

test('what cannot be the name of a proposal is not found, and not sent', async () => {
  const { inProcess, api } = await openDeal();
  for (const id of ['', '..', 'a/b', 'x'.repeat(3000), 'accept']) {
    const results: Awaited<ReturnType<PartnerApi['retrieveProposal']>>[] = [
      await inProcess.retrieveProposal(dealV2.partner_id, id),
      await api.retrieveProposal(dealV2.partner_id, id),
    ];
    for (const result of results) {
      expect(result._unsafeUnwrapErr()).toMatchObject({ code: 'not_found', resource: 'proposal' });
    }
  }
});

test('any input is refused as in process', async () => {
  const { inProcess, api } = await openDeal();
  const odd = fc.oneof(
    fc.constantFrom(
      undefined,
      null,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      2n,
      Symbol('a'),
      () => 1,
      new Date(0),
      '',
    ),
    fc.constantFrom('x', 1, true, '600.00', {}, [], [[]]),
  );
  const stage = fc.record({ id: odd, name: odd, budget: odd, other: odd }, { requiredKeys: [] });
  const stages = fc.oneof(odd, fc.array(fc.oneof(stage, fc.constant(7)), { maxLength: 3 }));
  const changes = fc.record(
    { title: odd, amount: odd, work_days: odd, agreed_amount: odd, currency: odd, stages },
    { requiredKeys: [] },
  );
  const input = fc.record(
    {
      kind: fc.constantFrom('amendment', 'settlement', 'x', undefined),
      changes: fc.oneof(changes, odd),
      message: odd,
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(input, async (given) => {
      const proposal = given as ProposalInput;
      const [here, there] = [
        await inProcess.propose(dealV2.partner_id, proposal),
        await api.propose(dealV2.partner_id, proposal),
      ];
      const said = (result: typeof here | typeof there) =>
        result.match(
          ({ changes: own }) => own,
          ({ request_id: _, ...error }: { request_id?: string }) => error,
        );
      expect(said(there)).toEqual(said(here));
    }),
    { numRuns: 300 },
  );
});
