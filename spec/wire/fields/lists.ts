import { inAll, least, most, must, ofMembers, should } from './data-laws.js';

const pageSizes = inAll(['list-deals', 'list-events'], 'page_size');
const times = { 'list-deals': 'created_from created_to' };

/** Sections 4, 6.7 and 7: the parameters of lists. */
export const listLaws = [
  must('4/fields/list', 'A list needs no parameters, and takes each status.', {
    'list-deals':
      'query: plain; status: created accepted delivered changes_requested approved completed disputed cancelled expired; freelancer_status: new invited accepted declined expired removed finished; attention: true',
    'list-events': 'query: plain',
    'operator-list-deals': 'query: plain',
    'operator-list-events': 'query: plain',
  }),
  must(
    '4/fields/page-size',
    '`page_size` is an integer from 1 to 100.',
    ofMembers(
      pageSizes,
      'least-value greatest-value one-below-the-least-value one-above-the-greatest-value negative least-integer greatest-integer one-below-the-least-integer one-above-the-greatest-integer',
    ),
  ),
  must('4/fields/cursor', 'A cursor that the service did not give is `invalid_cursor`.', {
    'list-deals': 'cursor: blank',
    'list-events': 'after: blank',
  }),
  must(
    '4/fields/time',
    '`created_from` and `created_to` are times of RFC 3339, with any offset and fraction.',
    ofMembers(times, 'utc east west tenths nanoseconds leap-day'),
  ),
  must(
    '4/fields/time-others',
    'A time without one of its parts, or that no calendar or clock has, is refused.',
    ofMembers(
      times,
      'empty date no-offset no-seconds offset-without-colon five-digits seconds-since-1970 no-leap-day month-13 day-0 hour-24 minute-60 second-61 offset-24',
    ),
  ),
  should(
    '4/fields/time-rare',
    'A time may have small letters, a leap second, and any year of four digits, but no blank.',
    ofMembers(times, 'small-letters leap-second first last space'),
  ),
  should(
    '4/fields/page-size-form',
    '`page_size` is written in plain decimal digits.',
    ofMembers(pageSizes, 'fraction word empty plus space-before zero-before hexadecimal'),
  ),
  should('4/fields/filters', 'A filter keeps the rules of the field that it is about.', {
    'list-deals': [
      `partner_id: ${least} ${most}`,
      'email_freelancer: *',
      ...['status', 'freelancer_status', 'attention'].map(
        (each) => `${each}: empty unknown capitals space-after name-of-a-property`,
      ),
    ].join('; '),
    'operator-list-deals': `partner: ${least} ${most}; alert: empty unknown capitals space-after name-of-a-property`,
    'operator-list-events': `partner: ${least} ${most} missing missing-beside-others`,
  }),
  should(
    '4/fields/parameters',
    'A parameter that a list does not have is refused.',
    inAll(
      ['list-deals', 'list-events', 'operator-list-deals', 'operator-list-events'],
      'query: unknown-parameter unknown-without-value all-wrong',
    ),
  ),
  should('7.6/fields/feed', 'A feed can be read from its end, and for several types.', {
    'list-events': 'after: end; type: two',
  }),
];

/** The parameters of the operator's lists, and of bulk redelivery: what no other law has judged. */
export const operatorListLaws = [
  should('4/fields/operator-list', 'A filter of the operator keeps the rules of its field.', {
    'operator-list-deals': '*: *',
  }),
  should('4/fields/operator-search', 'A search keeps the rules of its fields.', {
    'operator-search-deals': '*: *',
  }),
  should('7.2/fields/redelivery', 'A redelivery since a time keeps the rules of its fields.', {
    'redeliver-all': '*: *',
  }),
];
