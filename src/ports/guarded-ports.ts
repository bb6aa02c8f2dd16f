import { ok } from 'neverthrow';
import type { Subcategory } from '../domain/deals/category.js';
import { isPaymentToken } from '../domain/deals/deal-v2.js';
import { areApiTokens } from '../domain/values/api-token.js';
import { isTenant, type Tenant } from '../domain/values/tenant.js';
import { createTimestampFormat } from '../domain/values/timestamp.js';
import { isUlid } from '../domain/values/ulid.js';
import type { Answer } from './answer.js';
import { type Ask, createAsk, judged, plain } from './ask.js';
import type { ReceivedFile } from './file-store.js';
import { createContentGuard } from './guard-content.js';
import { guardOwner, guardTrash } from './guarded-files.js';
import { beginHash } from './guarded-hash.js';
import { guardStore } from './guarded-store.js';
import { guardWebhooks } from './guarded-webhooks.js';
import { isCategoryTree, isGatewayAnswer } from './kept-promises.js';
import type { CategoryCatalogue, MarketplacePorts } from './marketplace-ports.js';
import type { PaymentEffect } from './payment-gateway.js';
import type { IssuedPaymentToken, PaymentTokenClaims } from './payment-token-issuer.js';
import type { Timer } from './runtime.js';

/** Content on its way through a port. */
type Content = AsyncIterable<Uint8Array>;

/** The ports as the use cases see them: their answers are trusted. */
export type GuardedPorts = ReturnType<typeof guardPorts>;

/**
 * The one place that judges the answers of ports: each call has a deadline; a throw, a rejection or
 * a broken promise of a port becomes `unavailable`, with the name of the port. A failed read has
 * changed nothing, even if the port gives another outcome.
 */
export function guardPorts(ports: MarketplacePorts, deadline: number) {
  const { store, categories, paymentTokens, payments, files, scanner } = ports;
  const { clock, timer, ids, digest } = ports;
  const guardContent = createContentGuard(timer, deadline);
  const formatTime = createTimestampFormat();

  const ask = createAsk(timer, deadline);
  const read = <T>(port: string, call: () => Answer<T>, isKept: (answer: T) => boolean) =>
    ask(port, 'none', call, isKept);

  return {
    ...guardStore(store, ask),
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
            'must be true or false',
          ),
    execute: (tenant: Tenant, effect: PaymentEffect) =>
      ask(
        'payments.execute',
        'unknown',
        () => payments?.execute(tenant, effect) ?? ok([]),
        isGatewayAnswer,
        'must be { reports } or { refused: { reason, retry } }, not both, or a list of reports',
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
    /** `undefined` if the file store has none. */
    fileOwner: guardOwner(files, ask),
    fileTrash: guardTrash(files, ask),
    /** One piece of a content that a file store returns. */
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
    webhooks: guardWebhooks(ports, ask),
    listTokens: guardTokens(ports, ask),
    /** The time of the clock, as RFC 3339 in UTC. */
    now: (tenant: Tenant) =>
      plain(
        'clock.now',
        () => clock.now(tenant),
        (time) => formatTime(time) !== undefined,
      ).map((time) => String(formatTime(time))),
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

/** Guards the list of API tokens as `guardPorts` does; `undefined` if the host has none. */
export function guardTokens({ authenticator }: Pick<MarketplacePorts, 'authenticator'>, ask: Ask) {
  const list = authenticator === 'host' ? undefined : authenticator?.list?.bind(authenticator);
  return (
    list &&
    ((tenant: Tenant) => ask('authenticator.list', 'none', () => list(tenant), areApiTokens))
  );
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
