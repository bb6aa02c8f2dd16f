import { check } from '../../expectations.js';
import { sha256Of } from '../files/place.js';
import { arrayOf, type By, type LivingDeal } from '../life/deal.js';
import {
  type Caller,
  expectStatus,
  type Json,
  type Members,
  membersOf,
  type Reply,
  type Request,
} from '../server.js';

/** A proposal, as every face shows it. */
export interface Proposal extends Members {
  readonly id: string;
  readonly status: string;
  readonly terms: Members;
  readonly terms_sha256: string;
}

/** The bodies of proposals. */
export const amendment = (changes: Members, more: Members = {}): Members => ({
  kind: 'amendment',
  changes,
  ...more,
});
export const settlement = (agreed_amount: string, more: Members = {}): Members => ({
  kind: 'settlement',
  changes: { agreed_amount },
  ...more,
});

/** An amendment that can be made in every state that has amendments. */
export const retitled = (title = 'Another title'): Members => amendment({ title });

/** The other side of a deal. */
export const otherSide = { partner: 'freelancer', freelancer: 'partner' } as const;
export const sides = ['partner', 'freelancer'] as const;
export type Side = (typeof sides)[number];

const proposalIn = (reply: Reply) =>
  membersOf(reply.members()['data'], 'the proposal of the answer') as Proposal;

export const propose = (deal: LivingDeal, by: By, body: Members): Promise<Reply> =>
  deal.give(by, 'proposal', { body });

/** Makes a proposal, which must be a success. */
export async function proposed(deal: LivingDeal, by: By, body: Members): Promise<Proposal> {
  const reply = await propose(deal, by, body);
  expectStatus(reply, 201);
  return proposalIn(reply);
}

export type Decision = 'accept' | 'reject' | 'withdraw';
export const decisions = ['accept', 'reject', 'withdraw'] as const;

/** Decides a proposal, by default with its own hash. */
export function decide(
  deal: LivingDeal,
  by: By,
  { id, terms_sha256 }: Pick<Proposal, 'id' | 'terms_sha256'>,
  decision: Decision,
  request: Request = { body: decision === 'accept' ? { terms_sha256 } : {} },
): Promise<Reply> {
  return deal.give(by, `proposal/${id}/${decision}`, request);
}

/** The same, which must be a success. */
export async function decided(...given: Parameters<typeof decide>): Promise<Proposal> {
  const reply = await decide(...given);
  expectStatus(reply, 200);
  return proposalIn(reply);
}

/** One side proposes, and the other accepts. */
export async function agreed(
  deal: LivingDeal,
  body: Members,
  by: Side = 'partner',
): Promise<Proposal> {
  return decided(deal, otherSide[by], await proposed(deal, by, body), 'accept');
}

/** Who reads through a face. */
export function readerOf({ server, payment_token }: LivingDeal, by: By): Caller {
  if (by === 'freelancer') return server.freelancer(payment_token);
  return by === 'operator' ? server.operator : server.partner;
}

/** Reads what is at a path below the deal, through a face. */
export const read = (deal: LivingDeal, path: string, by: By = 'partner'): Promise<Reply> =>
  readerOf(deal, by).send('GET', `${deal.path(by)}/${path}`);

/** The same, which must be a success. */
export async function dataAt(deal: LivingDeal, path: string, by: By = 'partner'): Promise<Members> {
  const reply = await read(deal, path, by);
  expectStatus(reply, 200);
  return membersOf(reply.members()['data'], 'the member data of the answer');
}

/** The proposals of a deal, the newest first. */
export async function proposalsOf(deal: LivingDeal, by: By = 'partner') {
  const { results } = await dataAt(deal, 'proposal/?page_size=100', by);
  return arrayOf(results, 'the proposals') as readonly Proposal[];
}

/** A proposal as it is now. */
export const proposalNow = async (deal: LivingDeal, { id }: Proposal, by: By = 'partner') =>
  (await dataAt(deal, `proposal/${id}/`, by)) as Proposal;

/** The versions of the terms of a deal, the oldest first. */
export async function versionsOf(deal: LivingDeal, by: By = 'partner') {
  const { results } = await dataAt(deal, 'terms/?page_size=100', by);
  return arrayOf(results, 'the versions of the terms');
}

/** The last version of the terms of a deal. */
export async function lastVersion(deal: LivingDeal, by: By = 'partner'): Promise<Members> {
  const last = (await versionsOf(deal, by)).at(-1);
  check(last !== undefined, 'the deal has a version of its terms');
  return last;
}

/** The SHA-256 of the canonical JSON (RFC 8785) of terms: of texts, integers, nulls, and lists. */
export function hashOf(terms: Json): Promise<string> {
  return sha256Of(new TextEncoder().encode(JSON.stringify(sorted(terms))));
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  // names of members are ASCII, whose order is that of UTF-16 units
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, each]) => [name, sorted(each)]));
}

/** The answer of a deal with two stages, which an amendment has made. */
export const halves: readonly Members[] = [
  { name: 'First half', budget: '60.04', work_days: 10 },
  { name: 'Second half', budget: '40.00' },
];

/** Gives a deal that is `created` these stages, and returns their ids. */
export async function staged(
  deal: LivingDeal,
  stages: readonly Members[] = halves,
): Promise<readonly number[]> {
  await proposed(deal, 'partner', amendment({ stages }));
  const { stages: all } = await deal.details();
  return all.filter(({ status }) => status !== 'cancelled').map(({ id }) => id);
}

/** The freelancer accepts a deal whose terms have changed since it was offered. */
export async function acceptNow(deal: LivingDeal): Promise<void> {
  const { terms_sha256 } = await dataAt(deal, '', 'freelancer');
  await deal.done('freelancer', 'accept', { terms_sha256 });
}

/** Delivers one stage, with a work file. */
export async function deliverStage(deal: LivingDeal, stage_id: number): Promise<void> {
  const body = { name: 'draft.txt', content: btoa('The first draft.'), stage_id };
  expectStatus(await deal.give('partner', 'file', { body }), 201);
  await deal.done('freelancer', 'deliver', { stage_id });
}

/** A deal with two stages that was accepted: the first one is approved. */
export async function approveFirst(deal: LivingDeal): Promise<readonly [number, number]> {
  const [first = 0, second = 0] = await staged(deal);
  await acceptNow(deal);
  await deliverStage(deal, first);
  await deal.done('partner', 'approve', { stage_id: first });
  return [first, second];
}
