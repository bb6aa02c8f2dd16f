import { defaultValueSets } from 'dealwright';
import { strictProfile } from 'dealwright/strict';
import { contractor } from '../kit/requests.js';

const { parseContractor } = strictProfile(defaultValueSets);

/** `ok`, or the code of the strict profile's refusal of this member of a contractor. */
export function verdict(
  field: 'bank_account_iban' | 'bank_account_bic' | 'pesel' | 'nip',
  value: string,
): string {
  return parseContractor({ ...contractor, [field]: value }).match(
    (parsed) => (parsed[field] === value ? 'ok' : 'changed'),
    (findings) => findings.map(({ path, code }) => (path[0] === field ? code : 'other')).join(),
  );
}
