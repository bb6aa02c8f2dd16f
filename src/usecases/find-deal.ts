import { err, ok, type Result } from 'neverthrow';
import { isDealId, isPartnerId } from '../domain/deals/deal.js';
import { notFound, type RetrieveDealError, type WithoutMessage } from '../domain/input/errors.js';
import { copyMembers } from '../domain/input/parser.js';
import { type Changes, type DealState, isPart } from '../domain/payments/draft.js';
import { type DealPart, dealParts, shapeOf } from '../domain/records/records.js';
import type { PortProblem } from '../ports/answer.js';
import type { DealWith } from '../ports/store.js';
import type { Call, Context } from './context.js';

type NotFoundBy = WithoutMessage<RetrieveDealError> | { readonly code: 'unauthorized' };

/** The way in which a caller names a deal. */
export interface Finder<R = NotFoundBy> {
  /** The name of the deal, so that calls for one deal can wait for each other. */
  readonly name: string;
  find<P extends DealPart>(parts: readonly P[]): Promise<Result<DealWith<P>, R>>;
  /** Whether the deal is known without a read. */
  isKnown?(): boolean;
  /** Called with the deal after a write; `undefined` if that is not known. */
  wrote?(deal: DealWith<DealPart> | undefined): void;
}

const missing = err(notFound('deal'));

/**
 * A deal of version 1.0 by its id, which a deal of 2.0 never shows. A value that is not an id names
 * no deal, and a deal of another partner gets the answer for one that does not exist (decision
 * 2.5).
 */
export function byId(
  { ports }: Context,
  { tenant }: Call,
  id: unknown,
): Finder<WithoutMessage<RetrieveDealError>> {
  return {
    name: nameOf(tenant, 'id', isDealId(id) ? id : ''),
    async find(parts) {
      if (!isDealId(id)) return missing;
      const found = present(await ports.dealById(tenant, id, parts));
      return found.andThen((each) => (each.deal.api_version === '1.0' ? ok(each) : missing));
    },
  };
}

/** A deal of either version by its `partner_id`. */
export function byPartnerId(
  { ports }: Context,
  { tenant }: Call,
  partner_id: unknown,
): Finder<WithoutMessage<RetrieveDealError>> {
  return {
    name: nameOf(tenant, 'partner_id', isPartnerId(partner_id) ? partner_id : ''),
    async find(parts) {
      if (!isPartnerId(partner_id)) return missing;
      return present(await ports.dealByPartnerId(tenant, partner_id, parts));
    },
  };
}

/** A deal by its id or by its `partner_id`; the latter counts if both are there. */
export function byReference(
  context: Context,
  call: Call,
  deal: unknown,
): Finder<WithoutMessage<RetrieveDealError>> {
  const { id, partner_id } = copyMembers(deal) ?? {};
  return partner_id === undefined
    ? byId(context, call, id)
    : byPartnerId(context, call, partner_id);
}

/**
 * A deal by its payment token, for its holder: the stored deal must have the token, and the issuer
 * must still confirm it (decision 3).
 */
export function byPaymentToken(
  { ports }: Context,
  { tenant }: Call,
  payment_token: string,
): Finder {
  return {
    name: nameOf(tenant, 'payment_token', payment_token),
    async find(parts) {
      const found = await ports.dealByPaymentToken(tenant, payment_token, parts);
      if (found.isErr()) return err(found.error);
      if (found.value === undefined) return err({ code: 'unauthorized' });
      const { partner_id, currency, created_at: issued_at, ...deal } = found.value.deal;
      const amount = deal.issued_amount ?? deal.amount;
      const held = { payment_token, partner_id, amount, currency, issued_at };
      const verdict = await ports.verifyToken(tenant, held);
      if (verdict.isErr()) return err(verdict.error);
      return verdict.value === 'valid' ? ok(found.value) : err({ code: 'unauthorized' });
    },
  };
}

/** Only calls for one deal have the same name: no text of a tenant or a deal contains U+0000. */
function nameOf(
  { environment, partner }: Call['tenant'],
  kind: string,
  value: string | number,
): string {
  return `${environment}\0${partner}\0${kind}\0${value}`;
}

function present<T>(
  found: Result<T | undefined, PortProblem>,
): Result<T, WithoutMessage<RetrieveDealError>> {
  return found.andThen((deal) => (deal === undefined ? missing : ok(deal)));
}

/**
 * A deal with several writes of this process in a row: it is read once, and then known from its own
 * writes. As after any read, each write has its expectations. A refusal writes nothing, so it is
 * decided from a fresh read.
 */
export function inHand<R>(finder: Finder<R>): Finder<R> {
  let known: DealWith<DealPart> | undefined;
  return {
    name: finder.name,
    isKnown: () => known !== undefined,
    async find() {
      const found = known === undefined ? await finder.find(dealParts) : ok(known);
      if (found.isOk()) known = found.value;
      return found;
    },
    wrote(deal) {
      known = deal;
    },
  };
}

/** The deal as a store returns it after a write: each part in the order of its keys. */
export function asStored(
  after: DealState,
  { insert }: Pick<Changes, 'insert'>,
  { attempt, version }: { readonly attempt: string; readonly version: number },
): DealWith<DealPart> {
  const stored: Record<string, unknown> = { ...after, deal: { ...after.deal, version } };
  const made = new Set<object>(insert.map(({ row }) => row));
  for (const kind of new Set(insert.map((each) => each.kind).filter(isPart))) {
    const { key } = shapeOf(kind);
    const keyOf = (row: object): string | number => Reflect.get(row, key);
    stored[kind] = after[kind]
      .map((row) => (made.has(row) ? { ...row, attempt } : row))
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }
  return stored as DealWith<DealPart>;
}
