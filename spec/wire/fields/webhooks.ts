import { type DataLaw, least, most, must, should } from './data-laws.js';

const takesPrivate: DataLaw['unless'] = {
  accepts: 'url/loopback',
  reason: 'the host allows private addresses',
};

/** Decisions 7.2 to 7.9: the body of a webhook. */
export const webhookLaws: readonly DataLaw[] = [
  must('7.2/fields/webhook', 'A webhook has a URL, perhaps types of any name, and an order.', {
    'create-webhook':
      'body: plain; types: empty two missing; types/item: of-a-host shortest; ordered: false missing; url: port-443',
  }),
  must('7.2/fields/webhook-url', 'A webhook without a URL of `https` or `http` is refused.', {
    'create-webhook':
      'body: empty; url: missing shortest longest longest-of-emoji blank relative no-scheme ftp javascript no-host',
  }),
  must('7.9/fields/webhook-user', 'A URL with user info is refused.', {
    'create-webhook': 'url: user password',
  }),
  {
    ...must('7.9/fields/webhook-address', 'A URL with a private address is refused.', {
      'create-webhook':
        'url: loopback loopback-as-a-number loopback-octal loopback-of-ipv6 mapped private unique-local link-local any-address',
    }),
    unless: takesPrivate,
  },
  must('1.8/fields/list-items', 'The path of an issue in a list has the place in the list.', {
    'create-webhook': 'types: two-wrong; types/item: null number list',
  }),
  {
    ...should('7.9/fields/webhook-port', 'A URL with another port, or `localhost`, is refused.', {
      'create-webhook': 'url: other-port localhost',
    }),
    unless: takesPrivate,
  },
  should('7.9/fields/webhook-sandbox', 'A webhook of a sandbox may have `http`, and port 80.', {
    'create-webhook': 'url: http port-80',
  }),
  should(
    '7.2/fields/webhook-bounds',
    'A webhook has up to 100 types of 100 characters, and a URL of 2,048.',
    {
      'create-webhook': `url: empty one-too-long one-too-long-of-emoji longest-url; types: most one-too-many too-many-and-wrong repeated; types/item: ${least} ${most} blank comma space control-character beyond-ascii`,
    },
  ),
];
