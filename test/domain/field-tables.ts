import { currenciesInUse, currenciesOut, interfaceCountries } from './code-lists.js';
import { money } from './decimal-values.js';
import { email } from './email-values.js';
import { choice, integer, text, threeCharacters, type Values } from './values.js';

/** A row of a field table, written a second time, to check the code against the interface. */
export interface Row {
  readonly name: string;
  readonly required: boolean;
  readonly values: Values;
  /** The value of an absent optional field. */
  readonly fallback?: number;
}

const required = (name: string, values: Values): Row => ({ name, required: true, values });
const optional = (name: string, values: Values): Row => ({ name, required: false, values });

const languages = choice(['pl', 'en'], 'not_allowed', { allowed: ['pl', 'en'] }, [
  ...['PL', 'En', 'de', 'eng', 'e', 'pl-PL', 'pl,en'],
]);

export const contractorTable: readonly Row[] = [
  required('email', email()),
  required('name', text(1)),
  required('surname', text(1)),
  required(
    'country_code',
    choice(interfaceCountries, 'unknown_country', {}, ['at', 'UK', 'EU', 'AN', 'AUT', 'A', 'XX']),
  ),
  required('street', text(1)),
  optional('house_no', text(1)),
  optional('apartment_no', text(1)),
  required('postal_code', text(1, 6)),
  required('city', text(1)),
  required('language', languages),
  required(
    'bank_account_currency',
    choice(currenciesInUse, 'unknown_currency', {}, [...currenciesOut, 'eur', 'EU', 'EURO', '€€€']),
  ),
  required('bank_account_iban', text(15, 34)),
  optional('bank_account_bic', text(1, 11)),
  optional('pesel', text(1, 11)),
  optional('nip', text(1)),
  optional('tax_id', text(1, 30)),
];

export const dealTable: readonly Row[] = [
  required('partner_id', text(1, 40)),
  required('contractor_email', email()),
  required('name', text(1, 200)),
  required('description', text(1)),
  required('budget', money('any')),
  required('currency', threeCharacters()),
  { ...optional('work_days', integer()), fallback: 30 },
  required('sub_category_id', integer()),
];

const copyrights = ['full_transfer', 'license', 'none'];

export const dealV2Table: readonly Row[] = [
  required('partner_id', text(1, 40)),
  required('email_freelancer', email()),
  required('title', text(1, 200)),
  required('description', text(1, 20_000)),
  required('subcategory_id', integer()),
  required('amount', money('positive')),
  required('currency', threeCharacters()),
  required(
    'copyright_transfer',
    choice(copyrights, 'not_allowed', { allowed: copyrights }, ['licence', 'Full_Transfer']),
  ),
  required('freelancer_language', languages),
];

export {
  contractor as contractorBody,
  deal as dealBody,
  dealV2 as dealV2Body,
} from '../kit/requests.js';
