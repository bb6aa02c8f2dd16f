import type { CaseFileName } from '../case-files.js';
import { exact, inAll, least, most, must, ofMembers, should } from './data-laws.js';

const commands: readonly CaseFileName[] = ['cancel', 'dispute', 'request-changes'];
const withReason: readonly CaseFileName[] = [...commands, 'operator-resolve'];
const employer = 'operator-record-employer-payment';
const contractor = 'operator-record-contractor-payment';
const reports: readonly CaseFileName[] = [employer, contractor];
const otherChoices = 'empty unknown capitals space-after name-of-a-property';
const notPositive =
  'zeros zero zero-with-cents negative-zero negative-zero-point negative-cent negative negative-without-whole smallest';

/** Decisions 6.1 to 6.7: the bodies of commands, of reports of payments, and of the clock. */
export const commandLaws = [
  must(
    '6.7/fields/command',
    'A command takes a reason and a message.',
    inAll(commands, 'body: plain optional-members'),
  ),
  must(
    '6.7/fields/reason-required',
    'A `dispute` and a `request-changes` without a reason are refused.',
    inAll(['dispute', 'request-changes'], 'body: empty'),
  ),
  must(
    '6.7/fields/text-length',
    'The reason and the message of a command have 1 to 2,000 code points.',
    ofMembers(inAll(withReason, 'reason message'), `${least} ${most}`),
  ),
  must(
    '6.7/fields/stage-unknown',
    'A `stage_id` that no stage of the deal has is refused.',
    ofMembers(
      inAll(['request-changes', 'upload-work-file'], 'stage_id'),
      'least-integer greatest-integer zero negative beyond-32-bits',
    ),
  ),
  must(
    '6.2/fields/resolve',
    'A dispute is resolved with an amount from zero, a reason and a message.',
    {
      'operator-resolve':
        'body: plain optional-members; agreed_amount: zeros zero zero-with-cents negative-zero negative-zero-point',
    },
  ),
  must('6.2/fields/resolve-negative', '`agreed_amount` of `resolve` is not negative.', {
    'operator-resolve': 'agreed_amount: negative-cent negative negative-without-whole smallest',
  }),
  must('6.7/fields/report', 'A report has a status and a reference, and for a payout its id.', {
    [employer]: 'body: plain',
    [contractor]: 'status: processing failed returned; body: plain optional-members',
  }),
  must(
    '6.7/fields/report-required',
    'The status and the reference of a report are required.',
    ofMembers(inAll(reports, 'status reference'), 'missing'),
  ),
  must(
    '6.7/fields/report-status-others',
    'A status of a payment that does not exist is refused.',
    ofMembers(inAll(reports, 'status'), otherChoices),
  ),
  must(
    '6.7/fields/report-unknown-payment',
    'A report about a payment that the deal does not have is refused.',
    { [employer]: 'payment_id: shortest; status: voided', [contractor]: 'payment_id: shortest' },
  ),
  should(
    '6.7/fields/report-payment-required',
    'Every other report than that of money that came has a `payment_id`; that one has an amount.',
    {
      [employer]:
        'status: processing failed expired partially_refunded refunded charged_back refund_failed charge_back_reversed; amount: missing',
      [contractor]: 'payment_id: missing',
    },
  ),
  should(
    '6.7/fields/report-lengths',
    'The id of a payment and the reference of a report have bounds, counted in code points.',
    ofMembers(inAll(reports, 'payment_id reference'), `${least} ${most}`),
  ),
  should(
    '10.4/fields/report-currency',
    'The currency of a report has 3 characters, and is that of the deal.',
    ofMembers(inAll(reports, 'currency'), exact),
  ),
  should(
    '6.7/fields/report-positive',
    'The amount of a report is greater than zero.',
    ofMembers(inAll(reports, 'amount'), notPositive),
  ),
  must('6.6/fields/clock', 'The clock of a sandbox is moved by a number of seconds.', {
    'sandbox-advance-clock': 'body: plain; advance_seconds: least-value',
  }),
  must('6.7/fields/clock-bounds', 'The clock is moved by one second to ten years at a time.', {
    'sandbox-advance-clock':
      'advance_seconds: one-below-the-least-value one-above-the-greatest-value negative negative-zero least-integer greatest-integer beyond-32-bits',
  }),
];
