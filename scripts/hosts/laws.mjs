// @ts-check
import { verify } from 'dealwright/verify';

/**
 * @typedef {object} Outcome
 * @property {number} passed laws
 * @property {readonly string[]} failures each case that failed, and why
 * @property {readonly string[]} notes exceptions, and their reasons
 */

/**
 * Judges a service that has `judged-deals.ts` by every law that it promises. An exception that
 * passes is a failure too: its reason is no longer true.
 *
 * @param {string} baseUrl
 * @param {Readonly<Record<string, string>>} [exceptions] the reasons, by the ids of laws
 * @param {readonly string[]} [only] ids of laws, or their beginnings; default: all
 * @returns {Promise<Outcome>}
 */
export async function runLaws(baseUrl, exceptions = {}, only = []) {
  const { results, mended, known } = await verify({
    baseUrl,
    token: 'token-of-acme',
    otherToken: 'token-of-globex',
    operatorToken: 'token-of-the-operator',
    partner: 'acme',
    baseline: Object.keys(exceptions).filter((name) => name.includes('/')),
    ...(only.length > 0 && { only }),
    rate: 1e6,
    runs: 5,
    timeout: 30_000,
  });
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const judged = results.filter(({ outcome }) => outcome !== 'not_applicable');
  const failures = failed
    .filter(({ law }) => !known.includes(law.id))
    .map(({ law, variant, failure }) => `${law.id} (${variant}): ${failure?.message}`);
  const laws = new Set(judged.map(({ law }) => law.id));
  for (const { law } of failed) laws.delete(law.id);
  return {
    passed: laws.size,
    failures: [...failures, ...mended.map((id) => `${id}: it is no exception any more`)],
    notes: known.map((id) => `${id}: ${exceptions[id]}`),
  };
}
