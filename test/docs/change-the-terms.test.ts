import { pathToFileURL } from 'node:url';
import type { FreelancerApi, PartnerApi, Proposal } from 'dealwright';
import { createDealwright } from 'dealwright/host';
import type { ResultAsync } from 'neverthrow';
import ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';
import { findSnippets } from '../../scripts/checks/snippets.mjs';
import { root, withPlanted } from '../checks/plant.js';
import { dealV2 } from '../kit/requests.js';

type Answer<T> = ResultAsync<T, { readonly code: string }>;

/** The functions of the page, which its programs do not call. */
interface Shown {
  accept(freelancer: FreelancerApi): Answer<{ readonly status: string }>;
  askForMore(freelancer: FreelancerApi): Answer<Proposal>;
  read(partner: PartnerApi, partner_id: string): Answer<Proposal | null>;
  agree(partner: PartnerApi, partner_id: string, shown: Proposal): Answer<Proposal>;
  settle(partner: PartnerApi, freelancer: FreelancerApi): Answer<Proposal>;
  thank(partner: PartnerApi): ReturnType<PartnerApi['addBonus']>;
  history(partner: PartnerApi, partner_id: string): Promise<readonly string[]>;
}

let shown: Shown;
beforeAll(async () => {
  const codes = findSnippets(root)
    .filter(({ file }) => file === 'docs/how-to/change-the-terms.md')
    .filter(({ code }) => /^export /m.test(code))
    .map(({ code }) => code);
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const files = Object.fromEntries(
    codes.map((code, at) => {
      const { outputText } = ts.transpileModule(code, { compilerOptions });
      return [`${at}.mjs`, outputText];
    }),
  );
  const modules = await withPlanted(files, (folder) =>
    Promise.all(Object.keys(files).map((name) => import(pathToFileURL(`${folder}/${name}`).href))),
  );
  shown = Object.assign({}, ...modules);
  const run = ['accept', 'agree', 'askForMore', 'history', 'read', 'settle', 'thank'];
  expect(Object.keys(shown).sort()).toEqual(run);
});

/** A deal of 500.00 that nobody has accepted; the host takes 50.00 of the freelancer. */
async function openDeal() {
  const { marketplace } = createDealwright({
    feePolicy: () => ({ employer_fee: '0.00', contractor_fee: '50.00' }),
  });
  const partner = marketplace.partner({ environment: 'sandbox', partner: 'acme' });
  const created = await partner.createDealV2({ ...dealV2, partner_id: 'order-1' });
  const { payment_token } = created._unsafeUnwrap();
  return { partner, freelancer: marketplace.freelancer('sandbox', payment_token) };
}

const historyOf = async (partner: PartnerApi) =>
  (await shown.history(partner, 'order-1')).map((line) => line.replace(/, [\d:.TZ-]+$/, ''));

it('the functions of the page on new terms change a deal as it says', async () => {
  const { partner, freelancer } = await openDeal();
  expect(await historyOf(partner)).toEqual([
    '1 (creation): 500.00, created by partner, not accepted',
  ]);
  const changes = { title: 'A book' };
  (await partner.propose('order-1', { kind: 'amendment', changes }))._unsafeUnwrap();
  expect((await shown.accept(freelancer))._unsafeUnwrap()).toMatchObject({ status: 'accepted' });

  const more = (await shown.askForMore(freelancer))._unsafeUnwrap();
  expect(more).toMatchObject({ status: 'open', gross: '600.00', fee: '50.00', net: '550.00' });
  const view = (await freelancer.view())._unsafeUnwrap();
  expect(view).toMatchObject({ amount: '450.00', contractor_fee: '50.00' });
  const open = (await shown.read(partner, 'order-1'))._unsafeUnwrap();
  const agreed = await shown.agree(partner, 'order-1', open as Proposal);
  expect(agreed._unsafeUnwrap()).toMatchObject({ id: more.id, status: 'accepted' });
  expect((await shown.read(partner, 'order-1'))._unsafeUnwrap()).toBe(null);

  // once, though it is sent twice
  for (const _ of [1, 2]) {
    const { stages } = (await shown.thank(partner))._unsafeUnwrap();
    expect(stages.map(({ name, status }) => [name, status])).toEqual([
      [dealV2.title, 'pending'],
      ['A third text', 'pending'],
      ['Thank you', 'approved'],
    ]);
  }
  expect(await historyOf(partner)).toEqual([
    '1 (creation): 500.00, created by partner, accepted by freelancer',
    '2 (amendment): 500.00, proposed by partner, accepted by freelancer',
    '3 (amendment): 600.00, proposed by freelancer, accepted by partner',
    '4 (bonus): 650.00, proposed by partner, accepted by partner',
  ]);
});

it('a settlement leaves the amount of the deal, which can get more work after it', async () => {
  const { partner, freelancer } = await openDeal();
  (await shown.accept(freelancer))._unsafeUnwrap();
  expect((await shown.settle(partner, freelancer))._unsafeUnwrap().status).toBe('accepted');
  const details = async () => (await partner.retrieveDealDetails('order-1'))._unsafeUnwrap();
  expect(await details()).toMatchObject({
    status: 'approved',
    amount: '500.00',
    agreed_amount: '250.00',
    stages: [{ status: 'approved', budget: '500.00', agreed_amount: '250.00' }],
  });
  expect((await historyOf(partner))[1]).toBe(
    '2 (settlement): 250.00, proposed by partner, accepted by freelancer',
  );
  const more = (await shown.askForMore(freelancer))._unsafeUnwrap();
  expect((await shown.agree(partner, 'order-1', more)).isOk()).toBe(true);
  expect(await details()).toMatchObject({
    amount: '350.00',
    stages: [{ agreed_amount: '250.00' }, { name: 'A third text', status: 'pending' }],
  });
});
