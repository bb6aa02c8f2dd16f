import { verify } from 'dealwright/verify';
import { expect, it } from 'vitest';
import { inMemory } from './in-memory.js';

/** The outcomes of laws with the tokens of production of a server of both environments. */
async function outcomesOf(only: string): Promise<ReadonlySet<string>> {
  const options = inMemory({
    apiTokens: [
      ['sandbox-acme', { environment: 'production', partner: 'acme' }],
      ['sandbox-globex', { environment: 'production', partner: 'globex' }],
    ],
    operatorTokens: [['sandbox-operator', 'production']],
  });
  const { results } = await verify({ ...options, environment: 'production', only });
  return new Set(results.map(({ outcome }) => outcome));
}

it('does not judge the sandbox in production', async () => {
  expect([...(await outcomesOf('6.6'))]).toEqual(['not_applicable']);
});

it('judges payouts by what the operator reports if no gateway pays', async () => {
  expect([...(await outcomesOf('6.3/money'))].sort()).toEqual(['not_applicable', 'passed']);
});
