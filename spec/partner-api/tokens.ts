import { areApiTokens } from '../../src/domain/values/api-token.js';
import { check, equal } from '../expectations.js';
import { group } from './subject.js';

const members = ['created_at', 'last_used_at', 'name', 'start'];

/** Decision 5.13: the API tokens of a partner, whether or not the host lists them. */
export const tokens = group(
  'tokens',
  {
    must: {
      '5.13/tokens/list':
        'A list of API tokens has their names, at most their first eight characters, and times, and nothing else; a service without one has no such operation.',
    },
  },
  (define) => {
    define('5.13/tokens/list', async ({ api }) => {
      const listed = await api.listTokens();
      if (listed.isErr()) return equal(listed.error.code, 'not_found', 'without a list');
      check(areApiTokens(listed.value), 'the list is one of API tokens');
      for (const each of listed.value) equal(Object.keys(each).sort(), members, 'the members');
    });
  },
);
