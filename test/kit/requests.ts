import type { ContractorInput, DealInput, DealV2Input, Tenant } from 'dealwright';

/** Whom these tests speak for. */
export const tenant: Tenant = { environment: 'sandbox', partner: 'acme' };

/** The contractor of the documentation. */
export const contractor = {
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

/** The deal of the documentation. */
export const deal = {
  partner_id: 'unique-ID-of-deal',
  contractor_email: 'user@example.com',
  name: 'Deal name',
  description: 'Deal description',
  budget: '1000.00',
  currency: 'EUR',
  work_days: 30,
  sub_category_id: 75,
} satisfies DealInput;

/** A deal of version 2.0. */
export const dealV2 = {
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
