import { fieldsOf, must, should } from './data-laws.js';

const first = fieldsOf('create-deal', 'i1.0/deal', 'a deal of version 1.0');

const noSubcategory = 'least-integer greatest-integer zero negative beyond-32-bits negative-zero';

/** The table of the interface for a deal of version 1.0. */
export const dealLaws = [
  must('i1.0/deal/created', 'A deal of version 1.0 with right fields is created.', {
    'create-deal': 'body: plain; work_days: missing',
  }),
  ...first.required('partner_id contractor_email name description'),
  ...first.required('budget currency sub_category_id'),
  ...first.least({ partner_id: 1, name: 1, description: 1 }),
  ...first.most({ partner_id: 40, name: 200 }),
  ...first.exactly({ currency: 3 }),
  must('i1.0/deal/budget/sign', '`budget` of a deal of version 1.0 may be zero or negative.', {
    'create-deal':
      'budget: zeros zero zero-with-cents negative-zero negative-zero-point negative-cent negative negative-without-whole smallest',
  }),
  must(
    'i1.0/deal/sub_category_id/known',
    'A `sub_category_id` that no subcategory has is refused as `unknown_subcategory`.',
    { 'create-deal': `sub_category_id: ${noSubcategory}` },
  ),
  must(
    'i1.0/deal/contractor_email/case',
    'The contractor of a deal is found by its address in any case of its ASCII letters.',
    { 'create-deal': 'contractor_email: in-capitals' },
  ),
  should(
    '2.7/fields/contractor-last',
    'An unknown contractor is no issue of a body that breaks a rule of a field.',
    { 'create-deal': 'contractor_email: unknown-beside-others' },
  ),
];

const second = fieldsOf('create-deal-v2', '3/deal', 'a deal of version 2.0');

/** Decision 3: the fields of a deal of version 2.0. */
export const dealV2Laws = [
  must('3/deal/created', 'A deal of version 2.0 with right fields is created.', {
    'create-deal-v2': 'body: plain',
  }),
  ...second.required('partner_id email_freelancer title description subcategory_id amount'),
  ...second.required('currency copyright_transfer freelancer_language'),
  ...second.least({ partner_id: 1, title: 1, description: 1 }),
  ...second.most({ partner_id: 40, title: 200 }),
  should(
    '3/deal/description/max',
    '`description` of a deal of version 2.0 has at most 20,000 characters, unless the host sets it.',
    {
      'create-deal-v2': 'description: longest longest-of-emoji one-too-long one-too-long-of-emoji',
    },
  ),
  ...second.exactly({ currency: 3 }),
  must('3/deal/amount/positive', '`amount` of a deal of version 2.0 is greater than zero.', {
    'create-deal-v2':
      'amount: zeros zero zero-with-cents negative-zero negative-zero-point negative-cent negative negative-without-whole smallest',
  }),
  must(
    '3/deal/subcategory_id/known',
    'A `subcategory_id` that no subcategory has is refused as `unknown_subcategory`.',
    { 'create-deal-v2': `subcategory_id: ${noSubcategory}` },
  ),
  should(
    '3/deal/copyright_transfer/known',
    '`copyright_transfer` is `full_transfer`, `license` or `none`, unless the host has another set.',
    {
      'create-deal-v2':
        'copyright_transfer: license none empty unknown capitals space-after name-of-a-property',
    },
  ),
  should(
    '3/deal/freelancer_language/known',
    '`freelancer_language` is `pl` or `en`, unless the host has another set.',
    {
      'create-deal-v2':
        'freelancer_language: en empty unknown capitals space-after name-of-a-property',
    },
  ),
];
