import type { DealDetails, FreelancerEvent, Proposal, WorkFile } from 'dealwright';
import { least, plus, sumOfAll } from './amounts.js';

export type Stage = DealDetails['stages'][number];

/** What every view of a deal has for its terms. */
export type Deal = Pick<
  DealDetails,
  'title' | 'description' | 'copyright_transfer' | 'status' | 'stages'
>;

/** An event as both sides see it. */
export type Happened = Pick<FreelancerEvent, 'id' | 'type' | 'at' | 'actor'> & {
  readonly data: object;
};

/** What a stage is worth: what was agreed for it, if a dispute was resolved. */
export const worthOf = ({ agreed_amount, budget }: Worth): string => agreed_amount ?? budget;

type Worth = Pick<Stage, 'agreed_amount' | 'budget'>;

const isLiving = ({ status }: Stage) => status !== 'cancelled';

/** The stages that are still part of the deal. */
export const livingStages = ({ stages }: Pick<Deal, 'stages'>) => stages.filter(isLiving);

export const worthOfAll = (stages: readonly Worth[]): string => sumOfAll(stages.map(worthOf));

export function grossWith({ stages }: Pick<Deal, 'stages'>, { terms }: Pick<Proposal, 'terms'>) {
  const { agreed_amount, amount } = terms;
  if (agreed_amount === undefined) return amount;
  const done = livingStages({ stages }).filter(({ status }) => status === 'paid');
  return worthOfAll([...done, { budget: agreed_amount, agreed_amount: null }]);
}

/** What a deal is worth, and would be worth with a proposal. */
export const grossOf = (deal: Pick<Deal, 'stages'>, proposal: Pick<Proposal, 'terms'>) =>
  [worthOfAll(livingStages(deal)), grossWith(deal, proposal)] as const;

/** What a deal has of its payments. */
export type Billed = Pick<DealDetails, 'stages'> & {
  readonly billing: Pick<DealDetails['billing'], 'employer_payments' | 'outstanding'>;
};

export const amountOfRequests = ({ billing }: Billed, ...states: readonly string[]): string =>
  sumOfAll(
    billing.employer_payments
      .filter(({ status }) => states.includes(status))
      .map(({ amount }) => amount),
  );

/** What is outstanding beside the requests that can still be paid. */
export function notAskedFor(deal: Billed): string {
  const { outstanding } = deal.billing;
  const asked = amountOfRequests(deal, 'requested', 'processing');
  return plus(outstanding, `-${least(asked, outstanding)}`);
}

/** Whether the terms of a stage can still be others: the rest is kept as it is. */
export const isChangeable = (stage: Stage) => isOpen(stage) || stage.status === 'submitted';

/** Whether work can be uploaded for a stage, and delivered. */
export const isOpen = ({ status }: Stage) => status === 'pending' || status === 'changes_requested';

export const firstDue = (stages: readonly Stage[]): string | undefined =>
  stages
    .filter(isOpen)
    .flatMap(({ due_on }) => due_on ?? [])
    .sort()[0];

export const isPast = (day: string): boolean => day < new Date().toISOString().slice(0, 10);

export const lastOf = (events: readonly Happened[], ...types: readonly string[]) =>
  events.filter(({ type }) => types.includes(type)).at(-1);

export function textIn(event: Happened | undefined, name: string): string | undefined {
  const text: unknown = Reflect.get(event?.data ?? {}, name);
  return typeof text === 'string' ? text : undefined;
}

/** A difference between the terms of now and those of a proposal. */
export interface Difference {
  /** Its own: two parts may have the same name. */
  readonly id: string;
  readonly field: 'title' | 'description' | 'gross' | 'rights' | 'net' | 'stage';
  readonly name?: string;
  readonly before: StageTerms | string | undefined;
  readonly after: StageTerms | string | undefined;
}

interface StageTerms {
  readonly name: string;
  readonly budget: string;
  readonly work_days: number | null;
}

/** What a proposal would change of a deal; `gross` is what it is worth, and would be worth. */
export function differences(
  deal: Deal,
  { kind, terms }: Pick<Proposal, 'kind' | 'terms'>,
  [before, after]: readonly [string, string],
): readonly Difference[] {
  const stages = livingStages(deal);
  // of a single stage, the amount says the same as that of the deal
  const isSingle = stages.length === 1 && terms.stages.length === 1;
  const kept = stages.flatMap((stage): readonly Difference[] => {
    const now: StageTerms = { ...stage, budget: worthOf(stage) };
    const next = terms.stages.find(({ id }) => id === stage.id);
    const isSame = parts.every(
      (each) => now[each] === next?.[each] || (isSingle && each === 'budget'),
    );
    const { id, name } = stage;
    return isSame ? [] : [{ id: `stage ${id}`, field: 'stage', name, before: now, after: next }];
  });
  const added = terms.stages
    .filter(({ id }) => id === null)
    .map((stage, at): Difference => {
      const { name } = stage;
      return { id: `added ${at}`, field: 'stage', name, before: undefined, after: stage };
    });
  const all: readonly Omit<Difference, 'id'>[] = [
    { field: 'title', before: deal.title, after: terms.title },
    { field: 'description', before: deal.description, after: terms.description },
    {
      field: 'rights',
      before: deal.copyright_transfer ?? '',
      after: terms.copyright_transfer ?? '',
    },
    { field: 'gross', before, after },
  ];
  return [
    ...all
      .filter(({ before, after }) => before !== after)
      .map((each) => ({ ...each, id: each.field })),
    // what a settlement does to each stage follows from its amount
    ...(kind === 'amendment' ? [...kept, ...added] : []),
  ];
}

const parts = ['name', 'budget', 'work_days'] as const;

/** Work files of a stage that count, the newest first. */
export const filesOf = ({ work_files }: Stage): readonly WorkFile[] => [...work_files].reverse();
