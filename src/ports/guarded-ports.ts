import { err, ok, type Result } from 'neverthrow';
import type { Subcategory } from '../domain/category.js';
import type { DealFilter } from '../domain/deal-list.js';
import { isPaymentToken } from '../domain/deal-v2.js';
import type { Outcome } from '../domain/errors.js';
import type { DealPart, KeyOf, ListedKind, TimedKind } from '../domain/records.js';
import { isStored } from '../domain/stored.js';
import { type Environment, isTenant, type Tenant } from '../domain/tenant.js';
import { createTimestampFormat } from '../domain/timestamp.js';
import { isUlid } from '../domain/ulid.js';
import type { Answer, PortFailure } from './answer.js';
import type { CategoryCatalogue } from './category-catalogue.js';
import type { ReceivedFile } from './file-scanner.js';
import { createPortGuard } from './guard.js';
import { createContentGuard } from './guard-content.js';
import { beginHash } from './guarded-hash.js';
import { isCategoryTree, isDeal, isOutcome } from './kept-promises.js';
import type { MarketplacePorts } from './marketplace-ports.js';
import type { PaymentEffect } from './payment-gateway.js';
import type { IssuedPaymentToken, PaymentTokenClaims } from './payment-token-issuer.js';
import { type PortProblem, portProblem } from './port-problem.js';
import type { DealRange, RecordRange } from './store.js';
import type { Timer } from './timer.js';
import type { WriteSet } from './write-set.js';

/** What a guarded port answers. */
export type Guarded<T> = Result<T, PortProblem> | Promise<Result<T, PortProblem>>;

/** Content on its way through a port. */
type Content = AsyncIterable<Uint8Array>;

/** The ports as the use cases see them: what they answer is believed. */
export type GuardedPorts = ReturnType<typeof guardPorts>;

/**
 * The one place that judges what ports answer: each call has a deadline; what throws, rejects or
 * breaks the promise of its port becomes `unavailable`, with the name of the port. A question that
 * is not answered has changed nothing, whatever the port says of its outcome.
 */
export function guardPorts(ports: MarketplacePorts, deadline: number) {
  const { store, categories, paymentTokens, payments, files, scanner } = ports;
  const { clock, timer, ids, digest } = ports;
  const guardContent = createContentGuard(timer, deadline);
  const formatTime = createTimestampFormat();

  const ask = createAsk(timer, deadline);
  const read = <T>(port: string, call: () => Answer<T>, isKept: (answer: T) => boolean) =>
    ask(port, 'none', call, isKept);
  /** Of a port that answers at once, without a result. */
  const plain = <T>(port: string, call: () => T, isKept: (answer: T) => boolean) => {
    try {
      return judged(port, 'none', ok(call()), isKept);
    } catch (cause) {
      return err(portProblem(port, { cause }));
    }
  };

  return {
    commit: (tenant: Tenant, write: WriteSet) =>
      ask(
        'store.commit',
        'unknown',
        () => store.commit(tenant, write),
        (outcome) => isOutcome(outcome, write),
      ),
    reserve: (environment: Environment, count: number) =>
      read(
        'store.reserve',
        () => store.reserve(environment, count),
        (first) =>
          first >= 1 && Number.isSafeInteger(first) && Number.isSafeInteger(first + (count - 1)),
      ),
    dealById: <P extends DealPart>(tenant: Tenant, id: number, parts: readonly P[]) =>
      read(
        'store.deals.byId',
        () => store.deals.byId(tenant, id, parts),
        (found) => isDeal(found, parts) && (found === undefined || found.deal.id === id),
      ),
    dealByPartnerId: <P extends DealPart>(
      tenant: Tenant,
      partner_id: string,
      parts: readonly P[],
    ) =>
      read(
        'store.deals.byPartnerId',
        () => store.deals.byPartnerId(tenant, partner_id, parts),
        (found) =>
          isDeal(found, parts) && (found === undefined || found.deal.partner_id === partner_id),
      ),
    dealByPaymentToken: <P extends DealPart>(
      tenant: Tenant,
      payment_token: string,
      parts: readonly P[],
    ) =>
      read(
        'store.deals.byPaymentToken',
        () => store.deals.byPaymentToken(tenant, payment_token, parts),
        (found) =>
          isDeal(found, parts) &&
          (found === undefined || found.deal.payment_token === payment_token),
      ),
    due: <K extends TimedKind>(tenant: Tenant, kind: K, before: string, limit: number) =>
      read(
        'store.due',
        () => store.due(tenant, kind, before, limit),
        (found) => found.every((row) => isStored(kind, row)),
      ),
    tenants: (after: Tenant | undefined, limit: number) =>
      read(
        'store.tenants',
        () => store.tenants(after, limit),
        (found) => found.every(({ tenant, end }) => isTenant(tenant) && typeof end === 'string'),
      ),
    eventsAfter: (tenant: Tenant, cursor: string | undefined, limit: number) =>
      read(
        'store.events.after',
        () => store.events.after(tenant, cursor, limit),
        (page) =>
          page === 'invalid_cursor' ||
          (page.events.every((event) => isStored('event', event)) &&
            typeof page.cursor === 'string' &&
            typeof page.end === 'string'),
      ),
    eventsOf: (tenant: Tenant, subject: string, sequence: number, limit: number) =>
      read(
        'store.events.of',
        () => store.events.of(tenant, subject, sequence, limit),
        (events) => events.every((event) => isStored('event', event) && event.sequence > sequence),
      ),
    recordByKey: <K extends ListedKind>(tenant: Tenant, kind: K, key: KeyOf<K>) =>
      read(
        'store.records.byKey',
        () => store.records.byKey(tenant, kind, key),
        (found) => found === undefined || isStored(kind, found),
      ),
    listRecords: <K extends ListedKind>(tenant: Tenant, kind: K, range: RecordRange) =>
      read(
        'store.records.list',
        () => store.records.list(tenant, kind, range),
        (found) => found.length <= range.limit && found.every((row) => isStored(kind, row)),
      ),
    listDeals: (tenant: Tenant, filter: DealFilter, range: DealRange) =>
      read(
        'store.deals.list',
        () => store.deals.list(tenant, filter, range),
        (found) => found.length <= range.limit && found.every((deal) => isUlid(deal.attempt)),
      ),
    recordedWorkFiles: (tenant: Tenant, asked: readonly string[]) =>
      read(
        'store.workFiles.recorded',
        () => store.workFiles.recorded(tenant, asked),
        Array.isArray,
      ),
    ...guardCatalogue(categories, timer, deadline),
    issueToken: (tenant: Tenant, claims: PaymentTokenClaims) =>
      read('paymentTokens.issue', () => paymentTokens.issue(tenant, claims), isPaymentToken),
    tenantOfToken: (token: string) =>
      plain(
        'paymentTokens.tenantOf',
        () => paymentTokens.tenantOf(token),
        (tenant) => tenant === undefined || isTenant(tenant),
      ),
    verifyToken: (tenant: Tenant, held: IssuedPaymentToken) =>
      read(
        'paymentTokens.verify',
        () => paymentTokens.verify(tenant, held),
        (verdict) => ['valid', 'expired', 'invalid'].includes(verdict),
      ),
    /** Whether a gateway moves the money of this tenant. */
    executes: (tenant: Tenant) =>
      payments === undefined
        ? ok(false)
        : plain(
            'payments.executes',
            () => payments.executes(tenant),
            (answer) => typeof answer === 'boolean',
          ),
    execute: (tenant: Tenant, effect: PaymentEffect) =>
      ask(
        'payments.execute',
        'unknown',
        () => payments?.execute(tenant, effect) ?? ok([]),
        Array.isArray,
      ),
    putFile: async (tenant: Tenant, id: string, content: Content) =>
      judged(
        'files.put',
        'none',
        await guardContent('none', content, (pieces) => files.put(tenant, id, pieces)),
        (stored) => stored === 'stored',
      ),
    getFile: (tenant: Tenant, id: string) =>
      read(
        'files.get',
        () => files.get(tenant, id),
        (content) => content === undefined || Symbol.asyncIterator in content,
      ),
    deleteFile: (tenant: Tenant, id: string) =>
      ask(
        'files.delete',
        'unknown',
        () => files.delete(tenant, id),
        (outcome) => outcome === 'deleted' || outcome === 'missing',
      ),
    listFiles: (tenant: Tenant, after: string | undefined) =>
      read(
        'files.list',
        () => files.list(tenant, after),
        (ids) => after === undefined || ids.every((id) => id > after),
      ),
    /** One piece of a content that a file store hands out. */
    nextPiece: (pieces: AsyncIterator<Uint8Array>) =>
      read(
        'files.get',
        () => pieces.next().then((piece) => ok(piece)),
        (piece) => typeof piece.done === 'boolean' || piece.value !== undefined,
      ),
    scan:
      scanner &&
      (async (tenant: Tenant, file: ReceivedFile) =>
        judged(
          'scanner.scan',
          'none',
          await guardContent('none', file.content, (content) =>
            scanner.scan(tenant, { ...file, content }),
          ),
          (verdict) => verdict === 'accepted' || verdict === 'refused',
        )),
    /** Business time, as RFC 3339 in UTC. */
    now: (tenant: Tenant) =>
      plain(
        'clock.now',
        () => clock.now(tenant),
        (time) => formatTime(time) !== undefined,
      ).map((time) => String(formatTime(time))),
    moveClock:
      clock.move &&
      ((tenant: Tenant, milliseconds: number) =>
        plain(
          'clock.move',
          () => clock.move?.(tenant, milliseconds),
          () => true,
        )),
    /** Real time in milliseconds. */
    realTime: () => plain('timer.now', () => timer.now(), Number.isFinite),
    nextId: () => plain('ids.next', () => ids.next(), isUlid),
    digest: (text: string) =>
      plain(
        'digest',
        () => digest(text),
        (hash) => typeof hash === 'string' && hash !== '',
      ),
    beginHash: () => beginHash(ports.sha256),
  };
}

/** A catalogue as the use cases see it. */
export type GuardedCatalogue = ReturnType<typeof guardCatalogue>;

/** Guards a catalogue as `guardPorts` does. */
export function guardCatalogue(categories: CategoryCatalogue, timer: Timer, deadline: number) {
  const ask = createAsk(timer, deadline);
  return {
    categoryTree: (tenant: Tenant) =>
      ask('categories.tree', 'none', () => categories.tree(tenant), isCategoryTree),
    subcategory: (tenant: Tenant, id: number) =>
      ask(
        'categories.subcategory',
        'none',
        () => categories.subcategory(tenant, id),
        (found: Subcategory | undefined) => found === undefined || found.id === id,
      ),
  };
}

function createAsk(timer: Timer, deadline: number) {
  const guard = createPortGuard(timer, deadline);
  return <T>(
    port: string,
    outcome: Outcome,
    call: () => Answer<T>,
    isKept: (answer: T) => boolean,
  ): Guarded<T> => {
    const judge = (answer: Result<T, PortFailure>) => judged(port, outcome, answer, isKept);
    const answer = guard(outcome, call);
    return answer instanceof Promise ? answer.then(judge) : judge(answer);
  };
}

function judged<T>(
  port: string,
  outcome: Outcome,
  answer: Result<T, PortFailure>,
  isKept: (answer: T) => boolean,
): Result<T, PortProblem> {
  if (answer.isErr()) {
    // what a port adds to its failure beyond these is not for the caller
    const { retryable, retryAfter, cause } = answer.error;
    return err(
      portProblem(port, {
        outcome: outcome === 'none' ? outcome : answer.error.outcome,
        retryable,
        ...(retryAfter !== undefined && { retryAfter }),
        ...(cause !== undefined && { cause }),
      }),
    );
  }
  try {
    if (isKept(answer.value)) return ok(answer.value);
  } catch (cause) {
    return err(portProblem(port, { outcome, retryable: false, cause }));
  }
  const cause = new Error('the answer is not one that the port promises');
  return err(portProblem(port, { outcome, retryable: false, cause }));
}
