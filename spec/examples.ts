import type { ContractorInput, DealInput, DealV2Input } from '../src/api/inputs.js';

/**
 * The contractor of every example in the documentation.
 *
 * @example
 * ```ts
 * import { createDealwright } from 'dealwright/host';
 * import { exampleContractor } from 'dealwright/testing';
 *
 * const partner = { environment: 'sandbox', partner: 'acme' } as const;
 * await createDealwright().marketplace.partner(partner).registerContractor(exampleContractor);
 * ```
 */
export const exampleContractor = {
  email: 'user@example.com',
  name: 'Name',
  surname: 'Surname',
  country_code: 'AT',
  street: 'Street',
  house_no: '50',
  apartment_no: '5',
  postal_code: '5020',
  city: 'City',
  language: 'en',
  bank_account_currency: 'EUR',
  bank_account_iban: 'AT611904300234573201',
  bank_account_bic: 'SANTATWWXXX',
  tax_id: '22-345/6781',
} satisfies ContractorInput;

/**
 * The deal of version 1.0 of every example, for `exampleContractor`.
 *
 * @example
 * ```ts
 * import { exampleDeal } from 'dealwright/testing';
 *
 * const other = { ...exampleDeal, partner_id: 'order-2' };
 * ```
 */
export const exampleDeal = {
  partner_id: 'unique-ID-of-deal',
  contractor_email: exampleContractor.email,
  name: 'Deal name',
  description: 'Deal description',
  budget: '1000.00',
  currency: 'EUR',
  work_days: 30,
  sub_category_id: 75,
} satisfies DealInput;

/**
 * The deal of version 2.0 of every example.
 *
 * @example
 * ```ts
 * import { exampleDealV2 } from 'dealwright/testing';
 *
 * const other = { ...exampleDealV2, partner_id: 'order-3' };
 * ```
 */
export const exampleDealV2 = {
  partner_id: 'unique-ID-of-deal-2',
  email_freelancer: 'freelancer@example.com',
  title: 'Deal title',
  description: 'Deal description',
  subcategory_id: 75,
  amount: '500.00',
  currency: 'PLN',
  copyright_transfer: 'full_transfer',
  freelancer_language: 'pl',
} satisfies DealV2Input;
