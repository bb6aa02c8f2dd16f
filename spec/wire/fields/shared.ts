import type { CaseFileName } from '../case-files.js';
import { inAll, must, ofMembers, should } from './data-laws.js';

const creates: readonly CaseFileName[] = ['register-contractor', 'create-deal', 'create-deal-v2'];
const reports: readonly CaseFileName[] = [
  'operator-record-employer-payment',
  'operator-record-contractor-payment',
];
/** The bodies that have a text whose form is free. */
const plainTexts: readonly CaseFileName[] = [
  ...creates,
  ...(['cancel', 'dispute', 'request-changes', 'operator-resolve'] as const),
  ...reports,
  'upload-work-file',
];
/** The bodies of proposals, of what is said to them, and of bonuses. */
const ofTerms: readonly CaseFileName[] = ['accept', 'propose', 'accept-proposal', 'add-bonus'];
/** The bodies that have texts. */
const texts: readonly CaseFileName[] = [
  ...creates,
  ...(['cancel', 'dispute', 'request-changes', 'operator-resolve'] as const),
  ...reports,
  ...ofTerms,
  'upload-work-file',
  'create-webhook',
];
const bodies: readonly CaseFileName[] = [...texts, 'sandbox-advance-clock'];
const queries: readonly CaseFileName[] = [
  ...(['list-deals', 'list-events'] as const),
  ...(['operator-list-deals', 'operator-list-events'] as const),
];

/** The cases of bodies with several mistakes. */
const several = 'body: empty all-null all-objects all-wrong';

const emails = {
  'register-contractor': 'email',
  'create-deal': 'contractor_email',
  'create-deal-v2': 'email_freelancer',
};
const money = {
  'create-deal': 'budget',
  'create-deal-v2': 'amount',
  'operator-resolve': 'agreed_amount',
  'operator-record-employer-payment': 'amount',
  'operator-record-contractor-payment': 'amount',
  propose: 'changes/amount changes/agreed_amount changes/stages/added/budget',
  'add-bonus': 'amount',
};
const integers = {
  'create-deal': 'work_days sub_category_id',
  'create-deal-v2': 'subcategory_id',
  'request-changes': 'stage_id',
  'upload-work-file': 'stage_id',
  'sandbox-advance-clock': 'advance_seconds',
  propose: 'changes/work_days changes/stages/added/work_days',
};

/** Decisions 1.1 to 1.8: what holds for every field of a kind. They come after the other laws. */
export const sharedLaws = [
  must('1.1/fields/blank', 'A text of white space alone is a text like any other.', {
    ...inAll(plainTexts, '*: blank'),
    ...inAll(queries, '*: blank'),
  }),
  must(
    '1.1/fields/no-maximum',
    'A text of version 1.0 has no maximum length but that of its field table.',
    inAll(['register-contractor', 'create-deal'], '*: long'),
  ),
  must(
    '1.2/fields/lone-surrogate',
    'A text with a lone surrogate is refused.',
    inAll(texts, '*: lone-surrogate swapped-surrogates'),
  ),
  must('1.2/fields/u-0000', 'A text with the character U+0000 is refused.', {
    ...inAll(texts, '*: u-0000'),
    ...inAll(queries, '*: u-0000'),
  }),
  must(
    '1.2/fields/utf-8',
    'A parameter whose percent-encoded bytes are not UTF-8 is refused.',
    inAll(queries, '*: not-utf-8'),
  ),
  must(
    '1.3/fields/email',
    'An e-mail address may have every sign that HTML allows in one, in any case.',
    ofMembers(
      emails,
      'apostrophe tag-and-capitals shortest dots-anywhere every-sign digits hyphens',
    ),
  ),
  must(
    '1.3/fields/email-parts',
    'An e-mail address without one `@` between two parts is refused.',
    ofMembers(emails, 'empty one-letter no-at two-ats no-local-part no-domain'),
  ),
  must(
    '1.3/fields/email-domain',
    'The domain of an e-mail address is of labels of 1 to 63 letters, digits and inner hyphens.',
    ofMembers(
      emails,
      'dot-after dot-before-domain empty-label hyphen-before-label hyphen-after-label underscore address-literal longest-label label-too-long',
    ),
  ),
  must(
    '1.3/fields/email-blanks',
    'An e-mail address with a blank or a line break is refused, at its ends too.',
    ofMembers(emails, 'space-within space-before line-break-after'),
  ),
  must(
    '1.3/fields/email-signs',
    'An e-mail address with quotes, a comma, a display name or signs beyond ASCII is refused.',
    ofMembers(emails, 'quoted comma display-name local-part-beyond-ascii domain-beyond-ascii'),
  ),
  must(
    '1.3/fields/email-local-part',
    'The part of an e-mail address before the `@` has at most 64 characters.',
    ofMembers(emails, 'longest-local-part local-part-too-long'),
  ),
  must(
    '1.3/fields/email-length',
    'An e-mail address has at most 254 characters.',
    ofMembers(emails, 'longest too-long'),
  ),
  should(
    '1.3/fields/email-length-first',
    'The length of a text that is no e-mail address is counted in code points, before its form.',
    ofMembers(emails, '254-emoji 255-emoji'),
  ),
  must(
    '1.4/fields/money',
    'Money may leave out digits on one side of the decimal point, and have zeros in front.',
    ofMembers(
      money,
      'whole point-at-the-end one-digit-after-the-point point-at-the-start zeros-before cent exact',
    ),
  ),
  must(
    '1.4/fields/money-string',
    'Money that is not a JSON string is refused.',
    ofMembers(money, 'number list'),
  ),
  must(
    '1.4/fields/money-digits',
    'Money has at most 18 digits before the decimal point.',
    ofMembers(money, 'largest digit-too-many zero-too-many'),
  ),
  must(
    '1.4/fields/money-fraction',
    'Money has at most 2 digits after the decimal point, zeros too.',
    ofMembers(money, 'fraction-too-long fraction-of-zeros-too-long'),
  ),
  must(
    '1.4/fields/money-no-digit',
    'Money without a digit is refused, though it matches the pattern of the interface.',
    ofMembers(money, 'empty minus-alone point-alone minus-and-point'),
  ),
  must(
    '1.4/fields/money-signs',
    'Money with a plus, two minuses, or a minus at its end is refused.',
    ofMembers(money, 'plus two-minuses minus-after'),
  ),
  must(
    '1.4/fields/money-numbers',
    'Money with an exponent, in hexadecimal, with a comma, or as `NaN` or `Infinity` is refused.',
    ofMembers(money, 'exponent hexadecimal nan infinity comma thousands two-points'),
  ),
  must(
    '1.4/fields/money-blanks',
    'Money with a blank or a line break at one of its ends is refused.',
    ofMembers(money, 'space-before space-after line-break-after'),
  ),
  must(
    '1.4/fields/money-ascii',
    'Money with a digit or a minus beyond ASCII is refused.',
    ofMembers(money, 'arabic-digits full-width-digit minus-of-typography'),
  ),
  must(
    '1.6/fields/integer-spelling',
    'An integer may be written with a fraction of zeros, with an exponent, or as -0.',
    ofMembers(integers, 'whole-fraction exponent negative-zero'),
  ),
  must(
    '1.6/fields/integer-type',
    'A number with a fraction, a text and a boolean are refused as an integer.',
    ofMembers(integers, 'fraction text empty boolean'),
  ),
  must(
    '1.6/fields/integer-range',
    'An integer beyond +-(2^53-1) is refused.',
    ofMembers(
      integers,
      'one-below-the-least-integer one-above-the-greatest-integer beyond-64-bits',
    ),
  ),
  must(
    '1.6/fields/integer-bounds',
    '`work_days` may be any integer within +-(2^53-1), zero and negative too.',
    {
      'create-deal':
        'work_days: least-integer greatest-integer beyond-32-bits zero negative negative-zero',
    },
  ),
  must('1.7/fields/null', '`null` is refused with its own code.', inAll(bodies, '*: null')),
  must(
    '1.7/fields/other-members',
    'Members that a body does not have are ignored, whatever their names.',
    inAll(bodies, 'body: unknown-members names-in-capitals prototype members-of-a-prototype'),
  ),
  must(
    '1.7/fields/repeated',
    'The last of repeated members counts.',
    inAll(bodies, 'body: repeated-last-is-right repeated-last-is-wrong'),
  ),
  must(
    '1.8/fields/all-at-once',
    'Every failing field is listed at once, an unknown subcategory too.',
    {
      ...inAll(bodies, several),
      'create-deal': `${several}; sub_category_id: unknown-beside-others`,
      'create-deal-v2': `${several}; subcategory_id: unknown-beside-others`,
    },
  ),
  should(
    '1.8/fields/no-object',
    'A JSON body that is no object has one issue, whose path is empty.',
    inAll(bodies, 'body: null list text number boolean'),
  ),
  must(
    '1.8/fields/type',
    'A value of another type than its field has is refused as `wrong_type`.',
    inAll(bodies, '*: number list text object'),
  ),
  must(
    '9.4/fields/proposal',
    'A proposal, its changes and each stage of them are under the rules of their fields.',
    { propose: '*: *' },
  ),
  must(
    '9.5/fields/acceptance',
    'To accept, a hash has 64 characters.',
    inAll(['accept', 'accept-proposal'], '*: *'),
  ),
  must('9.9/fields/bonus', 'A bonus has an amount above zero, and may have a message.', {
    'add-bonus': '*: *',
  }),
  must('5.2/fields/json', 'A text that is not JSON is refused as `invalid_json`.', {
    'register-contractor':
      'json: nothing open two-values comma-at-the-end single-quotes name-without-quotes comment line-break-in-a-text nan form',
  }),
];
