import { askedAt, asking, pathOf } from './changes.js';
import { editing, listOf, ofOperator, playingAt, saying, type Tree } from './life-deals.js';
import type { Mutant } from './mutant.js';

const list = /^GET \/operator\/deal\/$/;
const search = /^GET \/operator\/search\/$/;
const partners = /^GET \/operator\/partner\/$/;
const reports = /^GET \/operator\/report\/$/;
const dismissal = /^POST \/operator\/[^/]+\/report\/[^/]+\/dismiss\/$/;
const summary = /^GET \/operator\/summary\/$/;

/** Changes the parameters of a list or a search. */
const asked = (path: string, change: (query: URLSearchParams) => void): Mutant['fetch'] =>
  asking((request) => {
    if (pathOf(request) !== path) return request;
    const url = new URL(request.url);
    change(url.searchParams);
    return new Request(url, request);
  });

/** Changes the results of a list. */
const listing = (
  fits: RegExp,
  change: (results: readonly Tree[]) => readonly Tree[],
): Mutant['fetch'] =>
  editing(fits, (data) => {
    data['results'] = change(listOf(data, 'results'));
  });

const ignoring = (name: string) => asked('/operator/deal/', (query) => query.delete(name));

const ofLists: readonly (readonly [law: string, name: string, fetch: Mutant['fetch']])[] = [
  [
    '4/operator/list-all',
    'without a partner the list is that of one',
    asked('/operator/deal/', (query) => query.set('partner', query.get('partner') ?? 'acme')),
  ],
  ['4/operator/list-pages', 'the first page is the last', saying(list, 'next', () => null)],
  ['4/operator/list-back', 'there is no way back', saying(list, 'previous', () => null)],
  [
    '4/operator/status-since',
    'a deal has had its status since its creation',
    listing(list, (all) => all.map((deal) => ({ ...deal, status_since: deal['created_at'] }))),
  ],
  ['4/operator/stuck-since', 'stuck_since is ignored', ignoring('stuck_since')],
  ['6.2/operator/alert', 'nothing is an alert', saying(list, 'alert', () => null)],
  ['6.2/operator/by-alert', 'the filter alert is ignored', ignoring('alert')],
  [
    '4/operator/alert-unknown',
    'an unknown alert is ignored',
    asked('/operator/deal/', (query) => {
      if (query.get('alert') === 'unknown') query.delete('alert');
    }),
  ],
  [
    '4/operator/search',
    'titles are not searched',
    listing(search, (all) => all.filter(({ match }) => match !== 'title')),
  ],
  [
    '6.3/operator/search-parts',
    'references are not searched',
    listing(search, (all) => all.filter(({ match }) => match !== 'reference')),
  ],
  [
    '4/operator/search-nothing',
    'there is always more',
    editing(search, (data) => {
      data['is_more'] = true;
    }),
  ],
  [
    '4/operator/search-text',
    'a text that is too long is cut',
    asked('/operator/search/', (query) => {
      const text = query.get('text');
      if (text !== null) query.set('text', text.slice(0, 200));
    }),
  ],
  ['2.1/operator/partners', 'the first partners are all', saying(partners, 'next', () => null)],
  [
    '2.1/operator/partners-cursor',
    'an empty cursor is ignored',
    asked('/operator/partner/', (query) => {
      if (query.get('cursor') === '') query.delete('cursor');
    }),
  ],
  [
    '6.3/operator/report-kept',
    'a report is kept without its amount',
    saying(reports, 'amount', () => null),
  ],
  [
    '10.4/operator/report-kept',
    'a report is kept without its currency',
    saying(reports, 'currency', () => null),
  ],
  [
    '6.3/operator/report-matched',
    'a report that matches is kept, too',
    playingAt(ofOperator('record-employer-payment'), async (request, forward) => {
      const nowhere = askedAt(request.clone(), (path) =>
        path.replace(/\/deal\/[^/]+\//, '/deal/nowhere/'),
      );
      await forward(nowhere);
      return forward(request);
    }),
  ],
  [
    '6.3/operator/report-pages',
    'the newest comes first',
    listing(reports, (all) => [...all].reverse()),
  ],
  [
    '6.3/operator/report-dismissed',
    'a dismissed report says that it waits',
    saying(dismissal, 'is_dismissed', () => false),
  ],
  [
    '6.2/operator/summary',
    'a summary leaves out what there is nothing of',
    listing(summary, (all) => all.filter(({ count }) => Number(count) > 0)),
  ],
];

export const mutants: readonly Mutant[] = ofLists.map(([law, name, fetch]) => ({
  ...{ law, name, fetch },
}));
