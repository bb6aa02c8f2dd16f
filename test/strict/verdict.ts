import { defaultValueSets } from 'dealwright';
import { strictProfile } from 'dealwright/strict';

const { parseContractor } = strictProfile(defaultValueSets);

const contractor = {
  email: 'user@example.com',
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

/** `ok`, or the code that the strict profile refuses this member of a contractor with. */
export function verdict(
  field: 'bank_account_iban' | 'bank_account_bic' | 'pesel' | 'nip',
  value: string,
): string {
  return parseContractor({ ...contractor, [field]: value }).match(
    (parsed) => (parsed[field] === value ? 'ok' : 'changed'),
    (findings) => findings.map(({ path, code }) => (path[0] === field ? code : 'other')).join(),
  );
}
