import * as v from 'valibot';
import type { Row } from '../records/records.js';
import { countryCode, currencyCode } from '../values/codes.js';
import { email, emailKey } from '../values/email.js';
import { boundedText, oneOf, text } from '../values/rule.js';
import type { Tenant } from '../values/tenant.js';

/**
 * A freelancer who is registered with the service (interface, Contractor 1.0). Values are kept as
 * given.
 */
export interface Contractor {
  /** E-mail address, at most 254 octets; it identifies the contractor. */
  readonly email: string;
  readonly name: string;
  readonly surname: string;
  /** ISO 3166-1 alpha-2, or XK. */
  readonly country_code: string;
  readonly street: string;
  readonly house_no?: string;
  readonly apartment_no?: string;
  /** 1 to 6 characters. */
  readonly postal_code: string;
  readonly city: string;
  /** `pl` or `en`. */
  readonly language: string;
  /** ISO 4217 code in use. */
  readonly bank_account_currency: string;
  /** 15 to 34 characters (ISO 13616); its checksum is the strict profile's business. */
  readonly bank_account_iban: string;
  /** 1 to 11 characters (ISO 9362). */
  readonly bank_account_bic?: string;
  /** Polish tax number of a person, 1 to 11 characters. */
  readonly pesel?: string;
  /** Polish tax number of a company. */
  readonly nip?: string;
  /** 1 to 30 characters. */
  readonly tax_id?: string;
}

/** The languages that the interface supports. */
export const languages = ['pl', 'en'] as const;

/**
 * The rules of the field table.
 *
 * @internal
 */
export function contractorEntries() {
  return {
    email: email(),
    name: text(1),
    surname: text(1),
    country_code: countryCode(),
    street: text(1),
    house_no: v.exactOptional(text(1)),
    apartment_no: v.exactOptional(text(1)),
    postal_code: boundedText(1, 6),
    city: text(1),
    language: oneOf(languages),
    bank_account_currency: currencyCode(),
    bank_account_iban: boundedText(15, 34),
    bank_account_bic: v.exactOptional(boundedText(1, 11)),
    pesel: v.exactOptional(boundedText(1, 11)),
    nip: v.exactOptional(text(1)),
    tax_id: v.exactOptional(boundedText(1, 30)),
  };
}

/** Where a contractor is known: in the whole environment (decision 2.3), or to one partner only. */
export type ContractorScope = 'environment' | 'partner';

/**
 * The key of a contractor within an environment, as one partner sees it: the key of the address
 * and, if a contractor is known to one partner only, that partner's name. An address has no space.
 */
export function contractorKey(tenant: Tenant, scope: ContractorScope, address: string): string {
  return scope === 'partner' ? `${emailKey(address)} ${tenant.partner}` : emailKey(address);
}

/** The record of a new contractor. */
export function contractorRow(contractor: Contractor, contractor_key: string): Row<'contractor'> {
  return {
    contractor_key,
    email: contractor.email,
    name: contractor.name,
    surname: contractor.surname,
    country_code: contractor.country_code,
    street: contractor.street,
    house_no: contractor.house_no ?? null,
    apartment_no: contractor.apartment_no ?? null,
    postal_code: contractor.postal_code,
    city: contractor.city,
    language: contractor.language,
    bank_account_currency: contractor.bank_account_currency,
    bank_account_iban: contractor.bank_account_iban,
    bank_account_bic: contractor.bank_account_bic ?? null,
    pesel: contractor.pesel ?? null,
    nip: contractor.nip ?? null,
    tax_id: contractor.tax_id ?? null,
  };
}
