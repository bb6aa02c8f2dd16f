import type { DealCreated, DealDetails } from '../../src/api/answers.js';
import type { DealReference } from '../../src/api/inputs.js';
import type { WorkFile } from '../../src/domain/deals/work-file.js';
import { check, okOf } from '../expectations.js';
import type { Views } from './subject.js';

/** The names of each version for the same things. */
export const namesIn = {
  '1.0': {
    create: 'createDeal',
    title: 'name',
    amount: 'budget',
    subcategory: 'sub_category_id',
  },
  '2.0': {
    create: 'createDealV2',
    title: 'title',
    amount: 'amount',
    subcategory: 'subcategory_id',
  },
} as const;

export type Version = keyof typeof namesIn;
export const versions = Object.keys(namesIn) as readonly Version[];

/** Registers the documented contractor and creates the documented deal. */
export async function createDocumentedDeal(
  { api, deal, operations }: Views,
  partner_id: string = deal.partner_id,
): Promise<DealCreated> {
  await operations.createDeal.prepare(api);
  return okOf(await api.createDeal({ ...deal, partner_id }), 'the deal');
}

/** A deal of a case, as its version names and reads it. */
export interface OwnDeal {
  readonly partner_id: string;
  readonly reference: DealReference;
  stages(): Promise<DealDetails['stages']>;
  files(): Promise<readonly WorkFile[]>;
}

/** Creates a deal of a version of the interface. */
export async function makeDeal(
  views: Views,
  version: Version,
  partner_id: string = views.deal.partner_id,
): Promise<OwnDeal> {
  const { api, dealV2 } = views;
  const own = (reference: DealReference, stages: OwnDeal['stages']): OwnDeal => ({
    partner_id,
    reference,
    stages,
    files: async () => (await stages()).flatMap(({ work_files }) => work_files),
  });
  if (version === '1.0') {
    const { id } = await createDocumentedDeal(views, partner_id);
    return own({ id }, async () => okOf(await api.retrieveDeal(id), 'the deal').stages);
  }
  okOf(await api.createDealV2({ ...dealV2, partner_id }), 'the deal');
  const details = async () => okOf(await api.retrieveDealDetails(partner_id), 'the deal');
  return own({ partner_id }, async () => (await details()).stages);
}

/** The id of the one stage of a deal. */
export async function stageOf(deal: OwnDeal): Promise<number> {
  const [stage, ...others] = await deal.stages();
  check(stage !== undefined && others.length === 0, 'a deal has one stage');
  return stage.id;
}
