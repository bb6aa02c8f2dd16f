import { err, ok, Result } from 'neverthrow';
import type { DealMatch, DealsFound } from '../api/answers.js';
import {
  type SearchDealsError,
  validationFailed,
  type WithoutMessage,
} from '../domain/input/errors.js';
import type { RecordKind } from '../domain/records/records.js';
import { emailKey } from '../domain/values/email.js';
import type { Environment } from '../domain/values/tenant.js';
import { isUlid } from '../domain/values/ulid.js';
import type { PortProblem } from '../ports/answer.js';
import type { Indexed, IndexRange } from '../ports/store.js';
import type { Call, Context } from './context.js';
import { operatorItem } from './list-all-deals.js';

type Ports = Context['ports'];

/** The deals that were found in one way. */
interface Hits {
  readonly deals: readonly Indexed<'deal'>[];
  /** Whether there may be more. */
  readonly isFull: boolean;
}

type Found = Result<Hits, PortProblem>;

/** A way to find deals by a text. */
interface Way {
  readonly match: DealMatch;
  find(limit: number): Promise<Found>;
}

/**
 * Finds deals of all partners by a text: what it names exactly comes first, then the deals of an
 * e-mail address, then those whose title begins with it.
 */
export async function searchDeals(
  { ports, parseSearch }: Context,
  { tenant: { environment } }: Call,
  input: unknown,
): Promise<Result<DealsFound, WithoutMessage<SearchDealsError>>> {
  const parsed = parseSearch(input === undefined ? {} : input);
  if (parsed.isErr()) return err(validationFailed(...parsed.error));
  const { text, page_size } = parsed.value;
  const ways = waysOf(ports, environment, text);
  // one more than are shown tells whether there are more
  const all = await Promise.all(ways.map(({ find }) => find(page_size + 1)));
  const found = new Map<string, DealsFound['results'][number]>();
  let isFull = false;
  for (const [at, hits] of all.entries()) {
    if (hits.isErr()) return err(hits.error);
    isFull ||= hits.value.isFull;
    for (const deal of hits.value.deals) {
      const name = JSON.stringify([deal.partner, deal.row.partner_id]);
      const match = ways[at]?.match ?? 'title';
      if (!found.has(name)) found.set(name, { ...operatorItem(deal), match });
    }
  }
  const results = [...found.values()];
  // several payments, of which one read finds some, may be of one deal
  return ok({
    results: results.slice(0, page_size),
    is_more: isFull || results.length > page_size,
  });
}

function waysOf(ports: Ports, environment: Environment, text: string): readonly Way[] {
  const deals = (match: DealMatch, range: Omit<IndexRange, 'direction' | 'limit'>): Way => ({
    match,
    async find(limit) {
      const direction = match === 'title' ? 'ascending' : 'descending';
      const wanted = { direction, ...range, limit } as const;
      const deals = await ports.recordsByIndex({ environment }, 'deal', wanted);
      return deals.map((rows) => ({ deals: rows, isFull: rows.length === limit }));
    },
  });
  const parts = (
    match: DealMatch,
    kind: 'employer_payment' | 'contractor_payment' | 'work_file',
    range: Omit<IndexRange, 'direction' | 'limit'>,
  ): Way => ({ match, find: (limit) => findParents(ports, environment, kind, range, limit) });
  const byId = { index: ['id'], equal: [], from: text, to: `${text}\u{1}` };
  const byReference = { index: ['reference', 'id'], equal: [text] };
  const titles = new Set([text, first(text, 'toUpperCase'), first(text, 'toLowerCase')]);
  return [
    deals('partner_id', { index: ['partner_id', 'attempt'], equal: [text] }),
    ...(isUlid(text)
      ? [
          parts('payment', 'employer_payment', byId),
          parts('payment', 'contractor_payment', byId),
          parts('work_file', 'work_file', byId),
        ]
      : []),
    parts('reference', 'employer_payment', byReference),
    parts('reference', 'contractor_payment', byReference),
    ...(text.includes('@')
      ? [
          deals('email', {
            index: ['email_key', 'created_at', 'attempt'],
            equal: [emailKey(text)],
          }),
        ]
      : []),
    ...[...titles].map((title) =>
      deals('title', {
        index: ['title', 'attempt'],
        equal: [],
        from: title,
        // after every title that begins with it
        to: `${title}\u{10ffff}`,
      }),
    ),
  ];
}

/** A text with its first character in another case. */
function first(text: string, change: 'toUpperCase' | 'toLowerCase'): string {
  const [character = '', ...rest] = text;
  return character[change]() + rest.join('');
}

/** The deals of payments or files, each once. */
async function findParents(
  ports: Ports,
  environment: Environment,
  kind: RecordKind & ('employer_payment' | 'contractor_payment' | 'work_file'),
  range: Omit<IndexRange, 'direction' | 'limit'>,
  limit: number,
): Promise<Found> {
  const found = await ports.recordsByIndex({ environment }, kind, {
    ...range,
    direction: 'descending',
    limit,
  });
  if (found.isErr()) return err(found.error);
  const named = new Map(
    found.value.map(({ partner, row: { partner_id } }) => {
      return [JSON.stringify([partner, partner_id]), { partner, partner_id }] as const;
    }),
  );
  const read = await Promise.all(
    [...named.values()].map(async ({ partner, partner_id }) => {
      const deal = await ports.dealByPartnerId({ environment, partner }, partner_id, []);
      return deal.map((one) => (one === undefined ? [] : [{ partner, row: one.deal }]));
    }),
  );
  const isFull = found.value.length === limit;
  return Result.combine(read).map((deals) => ({ deals: deals.flat(), isFull }));
}
