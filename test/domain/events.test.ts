import { defaultValueSets, interfaceProfile } from 'dealwright';
import { type NewEvent, readEvent } from 'dealwright/ports';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractorRow } from '../../src/domain/deals/contractor.js';
import { translated } from '../../src/domain/deals/deal.js';
import { dealRow } from '../../src/domain/deals/deal-v2.js';
import { contractorRegistered, dealCreated } from '../../src/domain/events/events.js';
import { contractorBody, dealBody, dealV2Body } from './field-tables.js';

const rules = interfaceProfile(defaultValueSets);
const origin = {
  tenant: { environment: 'sandbox', partner: 'acme' },
  id: '01J9Z3K4M5N6P7Q8R9S0T1V2W3',
  at: '2026-01-02T03:04:05.678Z',
  actor: 'partner',
  cause: 'digest-of-the-key',
} as const;
const creation = {
  ...({ id: 1, created_at: origin.at, mode: 'invoice', expires_at: null } as const),
  ...{ notice_at: null, employer_fee: '0.00', contractor_fee: '0.00' },
};
const { tenant: _, ...said } = origin;
const common = { ...said, ...origin.tenant, sequence: 1 };

/** The event as a log returns it. */
const read = (event: NewEvent) => readEvent(origin.tenant, { ...event, sequence: 1 });

describe('events', () => {
  it('tell of a contractor who it is, and nothing of its bank or taxes', () => {
    const contractor = rules
      .parseContractor({ ...contractorBody, email: 'User@Example.com', nip: 'nip', pesel: 'pesel' })
      ._unsafeUnwrap();
    expect(read(contractorRegistered(origin, contractorRow(contractor, 'key')))).toStrictEqual({
      ...common,
      type: 'contractor.registered',
      subject: 'contractor:user@example.com',
      data: { contractor_email: 'User@Example.com', country_code: 'AT', language: 'en' },
    });
  });

  it('tell of a deal what was agreed, but for its description', () => {
    const { description: _, ...told } = dealBody;
    const terms = rules.parseDeal({ ...dealBody, budget: '1000' })._unsafeUnwrap();
    const deal = dealRow(translated(terms), { ...creation, api_version: '1.0' });
    expect(read(dealCreated(origin, deal))).toStrictEqual({
      ...common,
      type: 'deal.created',
      subject: 'deal:unique-ID-of-deal',
      data: { api_version: '1.0', ...told },
    });
  });

  it('tell of a 2.0 deal what was agreed, under its own names', () => {
    const { description: _, copyright_transfer: _c, freelancer_language: _f, ...told } = dealV2Body;
    const terms = rules.parseDealV2(dealV2Body)._unsafeUnwrap();
    const deal = dealRow(terms, { ...creation, api_version: '2.0' });
    expect(read(dealCreated(origin, deal))).toStrictEqual({
      ...common,
      type: 'deal.created',
      subject: 'deal:unique-ID-of-deal-2',
      data: { api_version: '2.0', ...told },
    });
  });

  it('have no bank account, tax number or payment token', () => {
    const secret = fc.stringMatching(/^[0-9]{11}$/).map((digits) => `§${digits}`);
    fc.assert(
      fc.property(secret, secret, secret, secret, secret, (iban, bic, pesel, nip, tax) => {
        const contractor = rules
          .parseContractor({
            ...contractorBody,
            bank_account_iban: `${iban}-iban`,
            bank_account_bic: bic.slice(0, 11),
            pesel: pesel.slice(0, 11),
            nip,
            tax_id: tax,
          })
          ._unsafeUnwrap();
        const terms = rules.parseDealV2(dealV2Body)._unsafeUnwrap();
        const payment_token = `§${'t'.repeat(22)}`;
        const events = [
          contractorRegistered(origin, contractorRow(contractor, 'key')),
          dealCreated(origin, dealRow(terms, { ...creation, api_version: '2.0', payment_token })),
        ];
        expect(JSON.stringify(events)).not.toContain('§');
      }),
    );
  });
});
