import { err, ok, type Result } from 'neverthrow';
import type { UnmatchedReport, UnmatchedReportsPage } from '../api/answers.js';
import { isPartnerId } from '../domain/deals/deal.js';
import {
  type ListDealsError,
  notFound,
  type RetrieveDealError,
  type WithoutMessage,
} from '../domain/input/errors.js';
import type { Command } from '../domain/life/rules.js';
import type { Row } from '../domain/records/records.js';
import { formatMoney } from '../domain/values/money.js';
import type { UnmatchedReason } from '../domain/values/payment-status.js';
import { isStorableText } from '../domain/values/rule.js';
import type { Environment } from '../domain/values/tenant.js';
import { formatTimestamp } from '../domain/values/timestamp.js';
import type { PortProblem } from '../ports/answer.js';
import { longestKeys } from '../ports/longest-keys.js';
import type { Indexed, IndexRange } from '../ports/store.js';
import type { Call, Context, Refusal } from './context.js';
import { parseTimePage, timeCursor } from './time-cursor.js';

/** How long a dismissed report is kept: until then, its provider may repeat it. */
const keptDismissed = 30 * 24 * 60 * 60 * 1000;

/** The codes of the issues of a report that is kept. */
const kept = ['unknown_payment', 'currency_mismatch'] as const;

/** Why a command was refused, if its report matches no payment. */
function reasonOf(refusal: Refusal): UnmatchedReason | undefined {
  if (refusal.code === 'not_found') return 'unknown_deal';
  const errors = 'errors' in refusal && Array.isArray(refusal.errors) ? refusal.errors : [];
  return kept.find((reason) => errors.some(({ code }) => code === reason));
}

/**
 * Keeps the report of a refused command if it matches no payment: once, however often it comes. A
 * `partner_id` that no deal can have is a mistake of the caller.
 */
export async function keepUnmatched(
  { ports }: Context,
  { tenant }: Call,
  partner_id: unknown,
  { name, report }: Command,
  refusal: Refusal,
): Promise<Result<void, PortProblem>> {
  const reason = reasonOf(refusal);
  if (report === undefined || reason === undefined || !isPartnerId(partner_id)) {
    return ok(undefined);
  }
  const kind = name === 'record-contractor-payment' ? 'contractor_payment' : 'employer_payment';
  const { payment_id = null, status, reference, amount, currency = null } = report;
  const id = ports.digest(JSON.stringify([kind, partner_id, payment_id, status, reference]));
  if (id.isErr()) return err(id.error);
  const attempt = ports.nextId();
  if (attempt.isErr()) return err(attempt.error);
  const now = ports.realTime();
  if (now.isErr()) return err(now.error);
  const received_at = formatTimestamp(now.value);
  const committed = await ports.commit(tenant, {
    attempt: attempt.value,
    expect: [{ absent: 'unmatched_report', key: id.value }],
    insert: [
      {
        kind: 'unmatched_report',
        row: {
          ...{ id: id.value, partner_id, kind, payment_id, status, reference, reason },
          amount: amount === undefined ? null : formatMoney(amount),
          ...{ currency, received_at, waiting_since: received_at, ends_at: null },
        },
      },
    ],
    change: [],
    events: [],
  });
  return committed.map(() => undefined);
}

function shown(partner: string, row: Row<'unmatched_report'>): UnmatchedReport {
  const { id, partner_id, kind, payment_id, status, amount, currency, reference, reason } = row;
  return {
    ...{ partner, id, partner_id, kind, payment_id, status, amount, currency, reference, reason },
    received_at: row.received_at,
    is_dismissed: row.waiting_since === null,
  };
}

/** A part of the reports that wait for the operator, the longest first. */
export async function findUnmatched(
  ports: Context['ports'],
  environment: Environment,
  range: Pick<IndexRange, 'after' | 'limit'>,
): Promise<Result<readonly Indexed<'unmatched_report'>[], PortProblem>> {
  return ports.recordsByIndex({ environment }, 'unmatched_report', {
    index: ['waiting_since', 'attempt'],
    equal: [],
    direction: 'ascending',
    ...range,
  });
}

/** The reports that match no payment, and wait for the operator, the longest first. */
export async function listUnmatchedReports(
  context: Context,
  { tenant: { environment } }: Call,
  input: unknown,
): Promise<Result<UnmatchedReportsPage, WithoutMessage<ListDealsError>>> {
  const parsed = parseTimePage(context, input);
  if (parsed.isErr()) return err(parsed.error);
  const { page_size, range } = parsed.value;
  const found = await findUnmatched(context.ports, environment, range);
  if (found.isErr()) return err(found.error);
  const page = found.value.slice(0, page_size);
  const last = found.value.length > page_size ? page.at(-1)?.row : undefined;
  return ok({
    results: page.map(({ partner, row }) => shown(partner, row)),
    next: last ? timeCursor(last.waiting_since, last.attempt) : null,
  });
}

const missing = err(notFound('report'));

/** Whether a value could be the id of a report. */
const isReportId = (id: unknown): id is string =>
  isStorableText(id) && id.length <= longestKeys.unmatched_report.characters;

/** Takes a report from the list for good; one that is dismissed already stays as it is. */
export async function dismissReport(
  { ports }: Context,
  { tenant }: Call,
  id: unknown,
): Promise<Result<UnmatchedReport, WithoutMessage<RetrieveDealError>>> {
  if (!isReportId(id)) return missing;
  const found = await ports.recordByKey(tenant, 'unmatched_report', id);
  if (found.isErr()) return err(found.error);
  const row = found.value;
  if (row === undefined) return missing;
  if (row.waiting_since === null) return ok(shown(tenant.partner, row));
  const now = ports.realTime();
  if (now.isErr()) return err(now.error);
  const set = { waiting_since: null, ends_at: formatTimestamp(now.value + keptDismissed) };
  const attempt = ports.nextId();
  if (attempt.isErr()) return err(attempt.error);
  const committed = await ports.commit(tenant, {
    attempt: attempt.value,
    expect: [{ present: 'unmatched_report', key: id }],
    insert: [],
    change: [{ kind: 'unmatched_report', key: id, set }],
    events: [],
  });
  // one that another call has dismissed may be pruned by now
  return committed.andThen(({ outcome }) =>
    outcome === 'committed' ? ok(shown(tenant.partner, { ...row, ...set })) : missing,
  );
}
