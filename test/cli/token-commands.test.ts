import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningService, runHere, startService, stopAll } from './dealwright.js';
import { ask, settingsOf, token } from './service-client.js';

const operatorToken = 'operator-token-of-these-tests';
let service: RunningService;
beforeAll(async () => {
  service = await startService({
    DEALWRIGHT_TOKENS: `${token}=sandbox:acme,token-of-globex-12345=sandbox:globex,second-token-of-acme=sandbox:acme`,
    DEALWRIGHT_OPERATOR_TOKENS: `${operatorToken}=sandbox`,
  });
});
afterAll(stopAll);

const asOperator = (...args: string[]) =>
  runHere(['operator', 'tokens', ...args], {
    ...settingsOf(service),
    DEALWRIGHT_OPERATOR_TOKEN: operatorToken,
  });

it('lists the tokens of a partner by their places and beginnings', async () => {
  const listed = await ask(service, ['tokens', 'list']);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(listed.stdout).toMatch(
    /^name +start +created_at +last_used_at\nAPI token 1 +t0ken +- +-\nAPI token 2 +secon +- +-\n$/,
  );
  expect(await asOperator('acme')).toEqual(listed);
  const times = { created_at: null, last_used_at: null };
  const inJson = await asOperator('globex', '--json');
  expect(JSON.parse(inJson.stdout)).toEqual([{ name: 'API token 1', start: 'token', ...times }]);
});

it('says that there are none, and what a partner is', async () => {
  expect(await asOperator('nobody')).toEqual({ code: 0, stdout: 'no tokens\n', stderr: '' });
  expect(await asOperator('n'.repeat(129))).toMatchObject({ code: 2 });
});
