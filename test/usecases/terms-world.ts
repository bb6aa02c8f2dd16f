import type {
  FreelancerApi,
  MarketplaceOptions,
  Proposal,
  ProposalInput,
  StageInput,
} from 'dealwright';
import type { Result } from 'neverthrow';
import { acme, createWorld, day, file } from '../faces/world.js';

export { acme, day, file };

interface Refused {
  readonly code: string;
  readonly reason?: string;
  readonly proposal_status?: string;
  readonly resource?: string;
  readonly errors?: readonly { readonly path: readonly string[]; readonly code: string }[];
}

/** The value of an answer that must be a success. */
export async function okOf<T, E>(answer: PromiseLike<Result<T, E>>): Promise<T> {
  const settled = await answer;
  if (settled.isErr()) throw new Error(JSON.stringify(settled.error));
  return settled.value;
}

/** Why a call was refused, in one line. */
export async function refusalOf<T, E extends Refused>(
  answer: PromiseLike<Result<T, E>>,
): Promise<string> {
  const error: Refused = (await answer)._unsafeUnwrapErr();
  const { code, reason, proposal_status, resource, errors = [] } = error;
  const all = errors.map((each) => `${each.path.join('.')}:${each.code}`);
  return [code, reason, proposal_status, resource, ...all].filter(Boolean).join(' ');
}

/** A deal of version 2.0, and all that its sides can do. */
export async function withOffer(
  amount = '500.00',
  options: MarketplaceOptions = {},
  partner_id = 'deal-1',
) {
  const world = createWorld(options);
  const { freelancer, payment_token } = await world.offer(amount, partner_id);
  const { api, operatorDeals } = world;
  const stages = async () => (await world.details(partner_id)).stages;
  const idOf = async (at: number): Promise<number> => Number((await stages())[at]?.id);
  const send = (side: 'partner' | 'freelancer', input: ProposalInput) =>
    side === 'partner' ? api.propose(partner_id, input) : freelancer.propose(input);
  const consent = ({ id, terms_sha256 }: Pick<Proposal, 'id' | 'terms_sha256'>) =>
    [id, { terms_sha256 }] as const;
  return {
    ...world,
    ...{ freelancer, payment_token, partner_id, stages, idOf, send },
    details: () => world.details(partner_id),
    /** Types of the events after so many. */
    async typesAfter(count: number) {
      return (await world.types()).slice(count);
    },
    propose: async (side: 'partner' | 'freelancer', input: ProposalInput) =>
      okOf(send(side, input)),
    accept: (side: 'partner' | 'freelancer', proposal: Pick<Proposal, 'id' | 'terms_sha256'>) =>
      side === 'partner'
        ? api.acceptProposal(partner_id, ...consent(proposal))
        : freelancer.acceptProposal(...consent(proposal)),
    /** Uploads a file for a stage, and delivers it. */
    async deliver(stage_id?: number) {
      const at = stage_id === undefined ? {} : { stage_id };
      await okOf(freelancer.uploadFile({ ...file, ...at }));
      await okOf(freelancer.deliver(at));
    },
    /** The employer pays what was asked for, if anything was. */
    async pay(sum: string, reference = 'in') {
      const { employer_payments } = (await world.details(partner_id)).billing;
      const asked = employer_payments.find(({ status }) => status === 'requested');
      const report = { status: 'paid', amount: sum, reference } as const;
      const about = asked === undefined ? {} : { payment_id: asked.id };
      return okOf(operatorDeals.recordEmployerPayment(partner_id, { ...report, ...about }));
    },
    /** The partner splits the offer into these stages before anybody has accepted it. */
    split: (...added: readonly StageInput[]) =>
      okOf(
        api.propose(partner_id, {
          kind: 'amendment',
          changes: { stages: added },
        }),
      ),
    async acceptOffer() {
      const { terms_sha256 } = await okOf(freelancer.view());
      return okOf(freelancer.accept({ terms_sha256 }));
    },
  };
}

export type Offered = Awaited<ReturnType<typeof withOffer>>;

/** An amendment of these changes. */
export const amending = (changes: object, message?: string): ProposalInput =>
  ({ kind: 'amendment', changes, ...(message !== undefined && { message }) }) as ProposalInput;

/** A settlement for this amount. */
export const settling = (agreed_amount: string, message?: string): ProposalInput => ({
  kind: 'settlement',
  changes: { agreed_amount },
  ...(message !== undefined && { message }),
});

/** The calls of one side about proposals, by the same names. */
export function sideOf(
  { api, partner_id, freelancer }: Offered,
  side: 'partner' | 'freelancer',
): Pick<FreelancerApi, 'acceptProposal' | 'rejectProposal' | 'withdrawProposal'> {
  if (side === 'freelancer') return freelancer;
  return {
    acceptProposal: (id, input, options) =>
      api.acceptProposal(partner_id, id, input, options) as never,
    rejectProposal: (id, input, options) =>
      api.rejectProposal(partner_id, id, input, options) as never,
    withdrawProposal: (id, input, options) =>
      api.withdrawProposal(partner_id, id, input, options) as never,
  };
}

/** The members of an event of any type. */
export const dataOf = (event: { readonly data: object } | undefined) =>
  ({ ...event?.data }) as Readonly<Record<string, unknown>>;

const parts = [
  { name: 'One', budget: '100' },
  { name: 'Two', budget: '200', work_days: 5 },
  { name: 'Three', budget: '300' },
] as const;

/** An accepted deal of three stages. */
export async function withStages() {
  const deal = await withOffer();
  await deal.split(...parts);
  await deal.acceptOffer();
  // the first stage was that of the whole offer
  const [, one = 0, two = 0, three = 0] = (await deal.stages()).map(({ id }) => id);
  return { ...deal, ids: [one, two, three] as const };
}

/** The stages as text: name, budget and status. */
export const shapeOf = async (deal: Offered): Promise<readonly string[]> =>
  (await deal.stages()).map(({ name, budget, status }) => `${name} ${budget} ${status}`);
