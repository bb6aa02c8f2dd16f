import { check, equal, show } from '../expectations.js';
import { notApplicable } from '../laws.js';
import { group } from './subject.js';

const named = [
  ...['contractor_scope', 'copyright_transfer', 'environment', 'freelancer_language'],
  ...['max_body_size', 'max_file_size', 'mode', 'profile', 'takes_fees', 'versions'],
];

/** Decision 11.5: what a service promises. */
export const promises = group(
  'promises',
  {
    must: {
      '11.5/promises/retrieved':
        'A service tells its promises: versions, environment, mode, rules of input, limits, and whether it takes fees.',
      '11.5/promises/environment': 'The promises are those of the environment of the partner.',
    },
  },
  (define) => {
    define('11.5/promises/retrieved', async ({ api, fileLimit }) => {
      const told = await api.retrievePromises();
      if (told.isErr() && told.error.code === 'not_found') notApplicable('it tells no promises');
      check(told.isOk(), `the promises are told\n  actual: ${show(told)}`);
      const missing = named.filter((name) => !(name in told.value));
      equal(missing, [], 'the members that are missing');
      check(told.value.max_file_size >= fileLimit, 'a file of the limit is promised');
    });

    define('11.5/promises/environment', async ({ api, environment }) => {
      const told = await api.retrievePromises();
      if (told.isErr()) notApplicable('it tells no promises');
      equal(told.value.environment, environment, 'the environment');
    });
  },
);
