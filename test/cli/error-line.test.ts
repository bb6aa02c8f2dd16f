import { expect, it } from 'vitest';
import { errorLine } from '../../adapters/cli/service.js';

it('says on one line which request failed, where and why', () => {
  const cause = new Error('the disk is full');
  const report = { request_id: 'r1', code: 'unavailable', port: 'deals.add', cause } as const;
  const line = JSON.stringify(errorLine(report));
  expect(line).not.toContain('\n');
  expect(JSON.parse(line)).toEqual({
    level: 'error',
    request_id: 'r1',
    code: 'unavailable',
    port: 'deals.add',
    cause: expect.stringMatching(/^Error: the disk is full\n {4}at /),
  });
});

it('says it if no port failed, and of a cause that is no error', () => {
  expect(errorLine({ request_id: 'r2', code: 'internal', cause: 'odd' })).toEqual({
    level: 'error',
    request_id: 'r2',
    code: 'internal',
    cause: 'odd',
  });
  const cause = { reason: 'status', status: 503 };
  expect(errorLine({ request_id: 'r3', code: 'internal', cause })).toMatchObject({
    cause: "{ reason: 'status', status: 503 }",
  });
});
