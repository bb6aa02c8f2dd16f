import * as fc from 'fast-check';
import type { Contractor, ContractorKey } from '../../src/domain/contractor.js';
import type { NewDeal } from '../../src/domain/deal.js';
import type { DealV2 } from '../../src/domain/deal-v2.js';
import type { DomainEvent } from '../../src/domain/events.js';
import type { Idempotency } from '../../src/domain/idempotency.js';
import { fromMinorUnits } from '../../src/domain/money.js';
import type { Tenant } from '../../src/domain/tenant.js';
import type { WorkFile } from '../../src/domain/work-file.js';
import type { Answer } from '../../src/ports/answer.js';
import type { ContractorRegistration } from '../../src/ports/contractor-repository.js';
import type {
  DealAddition,
  DealV2Addition,
  WorkFileAddition,
} from '../../src/ports/deal-repository.js';
import type { EventLog, EventPage } from '../../src/ports/event-log.js';
import type { StorePorts } from '../../src/ports/marketplace-ports.js';
import { type ContractRunner, check, show } from '../expectations.js';

/**
 * What the suite of stores is run against: an empty store for each case.
 */
export interface StoreSubject extends StorePorts {
  readonly events: EventLog;
  close(): PromiseLike<void>;
  /** Where the log shows events late: waits until it shows all that was written so far. */
  settled?(): PromiseLike<void>;
}

/** Defines a case that gets a store of its own. */
export type DefineCase = (name: string, body: (store: StoreSubject) => Promise<void>) => void;

/** Gives each case a store, and closes it whatever becomes of the case. */
export function caseWith(
  { it }: ContractRunner,
  makeStore: () => StoreSubject | PromiseLike<StoreSubject>,
): DefineCase {
  return (name, body) => {
    it(name, async () => {
      const store = await makeStore();
      try {
        await body(store);
      } finally {
        await store.close();
      }
    });
  };
}

/** The value of an answer, which must have come. */
export async function ask<T>(answer: Answer<T>): Promise<T> {
  const result = await answer;
  check(result.isOk(), result.isErr() ? `the store failed: ${show(result.error)}` : '');
  return result.value;
}

export const acme: Tenant = { environment: 'sandbox', partner: 'acme' };
export const globex: Tenant = { environment: 'sandbox', partner: 'globex' };
export const acmeLive: Tenant = { environment: 'production', partner: 'acme' };

/** The key of the contractor that deals are for, in the register that all partners share. */
export const knownKey: ContractorKey = { register: '', email_key: 'user@example.com' };

const at = '2026-01-01T00:00:00.000Z';
/** A number that no other process draws either: several may run the suite against one database. */
function draw(digits: number): string {
  const [random] = fc.sample(fc.noBias(fc.bigInt({ min: 0n, max: 10n ** BigInt(digits) - 1n })), 1);
  return String(random).padStart(digits, '0');
}

/** An id that nobody else has; one of a higher rank is a later one. */
export function nextId(rank = 0): string {
  return `01KDVE${rank}${draw(19)}`;
}

/** A contractor with this address. */
export function contractorOf(email: string): Contractor {
  return {
    email,
    name: 'Name',
    surname: 'Surname',
    country_code: 'AT',
    street: 'Street',
    postal_code: '5020',
    city: 'City',
    language: 'en',
    bank_account_currency: 'EUR',
    bank_account_iban: 'AT611904300234573201',
  };
}

/** A registration with its one event. */
export function registration(
  tenant: Tenant,
  key: ContractorKey = knownKey,
  idempotency?: Idempotency,
): ContractorRegistration {
  const contractor = contractorOf(key.email_key);
  const event: DomainEvent = {
    id: nextId(),
    type: 'contractor.registered',
    ...tenant,
    subject: `contractor:${key.email_key}`,
    sequence: 1,
    at,
    data: { contractor_email: contractor.email, country_code: 'AT', language: 'en' },
  };
  return { key, contractor, events: [event], idempotency };
}

/** An event of a deal. */
export function dealEvent(tenant: Tenant, partner_id: string, sequence: number): DomainEvent {
  return {
    id: nextId(),
    type: 'deal.created',
    ...tenant,
    subject: `deal:${partner_id}`,
    sequence,
    at,
    data: {
      api_version: '2.0',
      partner_id,
      email_freelancer: 'freelancer@example.com',
      title: 'Title',
      amount: '500.00',
      currency: 'PLN',
      subcategory_id: 75,
    },
  };
}

/** A deal of version 1.0 with two stages. */
export function dealOf(partner_id: string): NewDeal {
  return {
    partner_id,
    contractor_email: 'user@example.com',
    name: 'Deal name',
    description: 'Deal description',
    budget: fromMinorUnits(100_001n),
    currency: 'EUR',
    work_days: 30,
    sub_category_id: 75,
    status: 'created',
    freelancer_status: 'new',
    created_at: at,
    stages: [
      { name: 'First', budget: fromMinorUnits(50_001n), work_days: 10, status: 'pending' },
      { name: 'Second', budget: fromMinorUnits(50_000n), work_days: 20, status: 'pending' },
    ],
  };
}

/** The addition of a 1.0 deal with its one event. */
export function addition(
  tenant: Tenant,
  partner_id: string,
  idempotency?: Idempotency,
  contractor: ContractorKey = knownKey,
): DealAddition {
  return {
    deal: dealOf(partner_id),
    contractor,
    events: [dealEvent(tenant, partner_id, 1)],
    idempotency,
  };
}

/** A deal of version 2.0 with a token of its own. */
export function dealV2Of(partner_id: string): DealV2 {
  return {
    partner_id,
    email_freelancer: 'freelancer@example.com',
    title: 'Title',
    description: 'Description',
    subcategory_id: 75,
    amount: fromMinorUnits(50_000n),
    currency: 'PLN',
    copyright_transfer: 'full_transfer',
    freelancer_language: 'pl',
    payment_token: `payment-token-${draw(30)}`,
    status: 'created',
    freelancer_status: 'new',
    created_at: at,
  };
}

/** The addition of a 2.0 deal with its one event. */
export function additionV2(
  tenant: Tenant,
  partner_id: string,
  idempotency?: Idempotency,
): DealV2Addition {
  return {
    deal: dealV2Of(partner_id),
    events: [dealEvent(tenant, partner_id, 1)],
    idempotency,
  };
}

/** A file for a stage. */
export function workFileOf(stage_id: number): WorkFile {
  return {
    id: nextId(),
    stage_id,
    name: '../../etc/😀 "zażółć" \\ \u0001\u2028',
    size: Number.MAX_SAFE_INTEGER,
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    content_type: 'text/plain; charset="utf-8"',
    uploaded_at: '2026-01-02T03:04:05.678Z',
  };
}

/** The addition of a file, with one event, to a deal of this version. */
export function fileAddition(
  tenant: Tenant,
  deal_id: number,
  version: number,
  file: WorkFile,
  idempotency?: Idempotency,
  partner_id = 'deal',
): WorkFileAddition {
  const { id: work_file_id, stage_id, name, size, sha256, content_type } = file;
  const event: DomainEvent = {
    id: nextId(),
    type: 'work_file.stored',
    ...tenant,
    subject: `deal:${partner_id}`,
    sequence: version + 1,
    at: file.uploaded_at,
    data: { partner_id, stage_id, work_file_id, name, size, sha256, content_type },
  };
  return { deal_id, version, file, events: [event], idempotency };
}

/** A page of a log, by a cursor of its own. */
export async function eventPage(
  { events }: StoreSubject,
  tenant: Tenant,
  cursor: string | undefined,
  limit: number,
): Promise<EventPage> {
  const page = await ask(events.after(tenant, cursor, limit));
  check(page !== 'invalid_cursor', 'a log knows the cursors that it gave');
  check(page.events.length <= limit, 'a page holds no more than its limit');
  check(page.events.length === 0 || page.cursor !== cursor, 'a cursor moves on with its events');
  return page;
}

/** All events of a tenant, read page by page. */
export async function allEvents(
  store: StoreSubject,
  tenant: Tenant,
  limit = 100,
): Promise<DomainEvent[]> {
  const all: DomainEvent[] = [];
  await store.settled?.();
  let cursor: string | undefined;
  for (;;) {
    const page = await eventPage(store, tenant, cursor, limit);
    if (page.events.length === 0) return all;
    all.push(...page.events);
    cursor = page.cursor;
  }
}

/** Writes all over a value that somebody else should have copied. */
export function scribble(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  for (const name of Object.keys(value)) {
    scribble(Reflect.get(value, name));
    Reflect.set(value, name, 'scribbled');
  }
  if (Array.isArray(value)) value.push('scribbled');
}
