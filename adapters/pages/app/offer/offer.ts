import type { FreelancerEvent, FreelancerProposal, FreelancerView, WorkFile } from 'dealwright';

export type Stage = FreelancerView['stages'][number];

/** The deal as this page shows it. */
export type Offer = FreelancerView;

/** What a stage is worth: what was agreed for it, if a dispute was resolved. */
export const worthOf = ({ agreed_amount, budget }: Stage): string => agreed_amount ?? budget;

const isLiving = ({ status }: Stage) => status !== 'cancelled';

/** The stages that are still part of the deal. */
export const livingStages = ({ stages }: Offer) => stages.filter(isLiving);

/** Whether the terms of a stage can still be others: the rest is kept as it is. */
export const isChangeable = (stage: Stage) => isOpen(stage) || stage.status === 'submitted';

/** Whether work can be uploaded for a stage, and delivered. */
export const isOpen = ({ status }: Stage) => status === 'pending' || status === 'changes_requested';

/** The last event of one of these types. */
export const lastOf = (events: readonly FreelancerEvent[], ...types: readonly string[]) =>
  events.filter(({ type }) => types.includes(type)).at(-1);

/** A text of the data of an event. */
export function textIn(event: FreelancerEvent | undefined, name: string): string | undefined {
  const text = event?.data[name];
  return typeof text === 'string' ? text : undefined;
}

/** The payouts that somebody has to see to. */
export const stuckPayouts = ({ contractor_payments }: Offer) =>
  contractor_payments.filter(({ status }) => status === 'failed' || status === 'returned');

/** A difference between the terms of now and those of a proposal. */
export interface Difference {
  /** Its own: two parts may have the same name. */
  readonly id: string;
  readonly field: 'title' | 'description' | 'gross' | 'rights' | 'net' | 'stage';
  /** Of a stage, its name. */
  readonly name?: string;
  readonly before: StageTerms | string | undefined;
  readonly after: StageTerms | string | undefined;
}

export interface StageTerms {
  readonly name: string;
  readonly budget: string;
  readonly work_days: number | null;
}

/** What a proposal would change, and what it would leave to the freelancer. */
export function differences(offer: Offer, proposal: FreelancerProposal): readonly Difference[] {
  const { terms, gross, net } = proposal;
  const stages = livingStages(offer).map((stage) => ({
    ...{ id: stage.id, name: stage.name },
    ...{ budget: worthOf(stage), work_days: stage.work_days },
  }));
  // of a single stage, the amount says the same as that of the deal
  const isSingle = stages.length === 1 && terms.stages.length === 1;
  const kept = stages.flatMap((stage): readonly Difference[] => {
    const after = terms.stages.find(({ id }) => id === stage.id);
    const isSame = parts.every(
      (each) => stage[each] === after?.[each] || (isSingle && each === 'budget'),
    );
    const id = `stage ${stage.id}`;
    return isSame ? [] : [{ id, field: 'stage', name: stage.name, before: stage, after }];
  });
  const added = terms.stages
    .filter(({ id }) => id === null)
    .map(
      (stage, at): Difference => ({
        ...{ id: `added ${at}`, field: 'stage' },
        name: stage.name,
        before: undefined,
        after: stage,
      }),
    );
  const all: readonly Omit<Difference, 'id'>[] = [
    { field: 'title', before: offer.title, after: terms.title },
    { field: 'description', before: offer.description, after: terms.description },
    {
      field: 'rights',
      before: offer.copyright_transfer ?? '',
      after: terms.copyright_transfer ?? '',
    },
    { field: 'gross', before: offer.gross, after: gross },
  ];
  return [
    ...all
      .filter(({ before, after }) => before !== after)
      .map((each) => ({ ...each, id: each.field })),
    // what a settlement does to each stage follows from its amount
    ...(proposal.kind === 'amendment' ? [...kept, ...added] : []),
    { id: 'net', field: 'net', before: offer.amount, after: net },
  ];
}

/** The terms of a stage. */
const parts = ['name', 'budget', 'work_days'] as const;

/** Work files of a stage that count, the newest first. */
export const filesOf = ({ work_files }: Stage): readonly WorkFile[] => [...work_files].reverse();
