import { requests } from './billings.js';
import { asking, refusal } from './changes.js';
import { details, editing, saying } from './life-deals.js';
import type { Mutant } from './mutant.js';
import { mutantsOf, type Row } from './terms-changes.js';

/** Refuses deals whose body has this text. */
const refusingDeals = (text: string) =>
  asking(async (request) =>
    request.method === 'POST' && (await request.clone().text()).includes(text)
      ? refusal(400, 'validation_failed')
      : request,
  );

/** The rules of the interface, under the name of the strict profile. */
const onlyNamed = editing(/^GET \/api\/2\.0\/$/, (promises) => {
  promises['profile'] = 'strict';
});

const rows: readonly Row[] = [
  ['10.13/units/fees', 'a fee of yen has sen', saying(details, 'employer_fee', () => '24.97')],
  [
    '10.13/units/shares',
    'the share of a fee has sen',
    requests((payment) => {
      payment['amount'] = '341.32';
    }),
  ],
  ['10.13/units/thousandths', 'two decimals of three are refused', refusingDeals('"1.23"')],
  ['10.13/units/interface', 'sen are always refused', refusingDeals('"999.50"')],
];

const strict = ['create', 'create-v1', 'amendment', 'settlement', 'bonus', 'resolve', 'report'].map(
  (each): Row => [`10.13/strict/${each}`, 'the strict profile takes sen', onlyNamed],
);

export const mutants: readonly Mutant[] = mutantsOf([...rows, ...strict]);
