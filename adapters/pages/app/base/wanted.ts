import type { AmendmentInput, Proposal, StageInput } from 'dealwright';
import { decimalOf, numberOf } from './amounts.js';
import { type Deal, isChangeable, livingStages, worthOf } from './terms.js';

export interface OpenDeal extends Deal {
  readonly proposal: Pick<Proposal, 'id' | 'by' | 'kind' | 'terms'> | null;
}

export type Side = Proposal['by'];
type StageTerms = Proposal['terms']['stages'][number];

/** The terms of a stage as somebody types them. */
export interface WantedStage {
  /** `null` of one that is added. */
  readonly id: number | null;
  readonly name: string;
  readonly budget: string;
  readonly days: string;
  readonly isIn: boolean;
  /** Whether its terms can be others: the rest is kept as it is. */
  readonly isChangeable: boolean;
}

/** The terms of a deal as somebody types them. */
export interface Wanted {
  readonly title: string;
  readonly description: string;
  readonly rights: string;
  readonly stages: readonly WantedStage[];
}

/** The terms of now, or those that the other side has proposed, whole. */
export function wantedFrom(deal: OpenDeal, other: Side): Wanted {
  const proposed = proposedIn(deal, other);
  const of = proposed?.terms ?? deal;
  const kept = livingStages(deal).map((stage) => {
    const after = proposed?.terms.stages.find(({ id }) => id === stage.id);
    const now = { ...stage, budget: worthOf(stage) };
    const isIn = proposed === undefined || after !== undefined;
    return typedFrom({ ...(after ?? now), id: stage.id }, isIn, isChangeable(stage));
  });
  const added = (proposed?.terms.stages ?? []).filter(({ id }) => id === null);
  return {
    title: of.title,
    description: of.description,
    rights: of.copyright_transfer ?? '',
    stages: [...kept, ...added.map((stage) => typedFrom(stage, true, true))],
  };
}

const typedFrom = (
  { id, name, budget, work_days }: StageTerms,
  isIn: boolean,
  isChangeable: boolean,
): WantedStage => ({ id, name, budget, days: String(work_days ?? ''), isIn, isChangeable });

/** The open amendment of the other side, if there is one: a counter-offer starts with it. */
export const proposedIn = ({ proposal }: OpenDeal, other: Side) =>
  proposal?.by === other && proposal.kind === 'amendment' ? proposal : undefined;

/** What would change in a deal; nothing of it if nothing would. */
export function changesOf(deal: Deal, wanted: Wanted): AmendmentInput {
  const { title, description, rights } = wanted;
  const stages = wanted.stages.filter(({ isIn }) => isIn).map((each) => stageOf(deal, each));
  const isSame =
    stages.length === livingStages(deal).length &&
    stages.every((each) => 'id' in each && Object.keys(each).length === 1);
  return {
    ...(title !== deal.title && { title }),
    ...(description !== deal.description && { description }),
    ...(rights !== (deal.copyright_transfer ?? '') && { copyright_transfer: rights }),
    ...(!isSame && { stages }),
  };
}

function stageOf(deal: Deal, { id, name, budget, days, ...wanted }: WantedStage): StageInput {
  const decimal = decimalOf(budget);
  // without a number the days stay as they are
  const work_days = days.trim() === '' ? {} : { work_days: numberOf(days) };
  if (id === null) return { name, budget: decimal, ...work_days };
  const now = deal.stages.find((each) => each.id === id);
  if (now === undefined || !wanted.isChangeable) return { id };
  return {
    id,
    ...(name !== now.name && { name }),
    ...(decimal !== worthOf(now) && { budget: decimal }),
    ...(days.trim() !== String(now.work_days ?? '') && work_days),
  };
}
