import { defaultValueSets, interfaceProfile } from 'dealwright';
import { type NewEvent, readEvent } from 'dealwright/ports';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractorRegistered, dealCreated, dealV2Created } from '../../src/domain/events.js';
import { contractorBody, dealBody, dealV2Body } from './field-tables.js';

const rules = interfaceProfile(defaultValueSets);
const origin = {
  tenant: { environment: 'sandbox', partner: 'acme' },
  id: '01J9Z3K4M5N6P7Q8R9S0T1V2W3',
  at: '2026-01-02T03:04:05.678Z',
} as const;
const common = { id: origin.id, ...origin.tenant, sequence: 1, at: origin.at };

/** The event as a log gives it back. */
const read = (event: NewEvent) => readEvent(origin.tenant, { ...event, sequence: 1 });

describe('events', () => {
  it('tell of a contractor who it is, and nothing of its bank or taxes', () => {
    const contractor = rules
      .parseContractor({ ...contractorBody, email: 'User@Example.com', nip: 'nip', pesel: 'pesel' })
      ._unsafeUnwrap();
    expect(read(contractorRegistered(origin, contractor))).toStrictEqual({
      ...common,
      type: 'contractor.registered',
      subject: 'contractor:user@example.com',
      data: { contractor_email: 'User@Example.com', country_code: 'AT', language: 'en' },
    });
  });

  it('tell of a deal what was agreed, but for its description', () => {
    const { description: _, ...told } = dealBody;
    const terms = rules.parseDeal({ ...dealBody, budget: '1000' })._unsafeUnwrap();
    expect(read(dealCreated(origin, terms))).toStrictEqual({
      ...common,
      type: 'deal.created',
      subject: 'deal:unique-ID-of-deal',
      data: { api_version: '1.0', ...told },
    });
  });

  it('tell of a 2.0 deal what was agreed, under its own names', () => {
    const { description: _, copyright_transfer: _c, freelancer_language: _f, ...told } = dealV2Body;
    const terms = rules.parseDealV2(dealV2Body)._unsafeUnwrap();
    expect(read(dealV2Created(origin, terms))).toStrictEqual({
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
        const events = [
          contractorRegistered(origin, contractor),
          // a use case that hands over the stored deal instead of the terms gives nothing away
          dealV2Created(origin, { ...terms, ...{ payment_token: `§${'t'.repeat(22)}` } }),
        ];
        expect(JSON.stringify(events)).not.toContain('§');
      }),
    );
  });
});
