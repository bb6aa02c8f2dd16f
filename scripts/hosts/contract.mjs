// @ts-check
import { createClient } from 'dealwright/client';
import { partnerApiContract } from 'dealwright/spec';
import { within } from './wait.mjs';

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {readonly string[]} failures each case that failed, and why
 */

/** Bytes that a work file of a case may have: equal to that in test/hosts/deals-of-each-case.ts. */
const fileLimit = 64 * 1024;
/** Cases at once: a single one would wait most of the time. */
const workers = 4;

/**
 * Runs the whole contract of `PartnerApi` against a service that has `deals-of-each-case.ts`.
 *
 * @param {string} baseUrl
 * @returns {Promise<Outcome>}
 */
export async function runContract(baseUrl) {
  const cases = collectCases(baseUrl);
  /** @type {string[]} */
  const failures = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let at = next++; at < cases.length; at = next++) {
        const { name, body } = cases[at] ?? { name: '', body: async () => {} };
        await within(60_000, body()).catch((error) => failures.push(`${name}: ${error.message}`));
      }
    }),
  );
  return { passed: cases.length - failures.length, failures };
}

/** @param {string} baseUrl */
function collectCases(baseUrl) {
  /** @type {{ name: string, body: () => Promise<void> }[]} */
  const cases = [];
  let made = 0;
  let group = '';
  partnerApiContract(
    {
      describe: (name, body) => {
        group = name;
        body();
      },
      it: (name, body) => cases.push({ name: `${group}: ${name}`, body }),
    },
    () => {
      made += 1;
      const service = `case-${made}`;
      return {
        api: ({ environment, partner }) =>
          createClient({ baseUrl, token: `${service}.${environment}.${partner}` }),
        fileLimit,
        close: async () => {},
      };
    },
  );
  return cases;
}
