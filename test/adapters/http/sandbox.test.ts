import type { Handler } from 'dealwright/http';
import { beforeEach, describe, expect, test } from 'vitest';
import { asAcme, askBy, asOperator, createFaces, json } from './faces-service.js';
import { contractor, deal, dealV2, liveToken } from './service.js';

let service: Handler;
beforeEach(async () => {
  service = createFaces();
  await post('/api/2.0/deal/', asAcme, dealV2);
});
const { get, post } = askBy(() => service);

describe('the sandbox', () => {
  const give = (actor: string, command: string, body: object = {}, headers = asAcme) =>
    post(`/api/2.0/sandbox/deal/${dealV2.partner_id}/${actor}/${command}/`, headers, body);

  test('gives the commands of every actor, whose guards hold', async () => {
    expect((await give('freelancer', 'accept')).json.data.status).toBe('accepted');
    const early = await give('freelancer', 'deliver');
    expect([early.status, early.json.reason]).toEqual([409, 'no_files']);
    const paid = await give('payments', 'record-employer-payment', {
      status: 'paid',
      amount: '10.00',
      reference: 'transfer-1',
    });
    expect(paid.json.data.billing.paid).toBe('10.00');
    expect((await give('operator', 'cancel', { reason: 'r' })).json.data.status).toBe('cancelled');
  });

  test.each([
    ['clock', 'expire'],
    ['nobody', 'accept'],
    ['freelancer', 'approve'],
    ['payments', 'accept'],
    ['partner', 'expire'],
    ['__proto__', 'accept'],
  ])('has no command %s %s', async (actor, command) => {
    expect((await give(actor, command)).status).toBe(404);
  });

  test('moves the time of one partner, and timers fire', async () => {
    const month = 31 * 24 * 60 * 60;
    const moved = await post('/api/2.0/sandbox/clock/', asAcme, { advance_seconds: month });
    expect([moved.status, moved.json]).toEqual([
      200,
      { data: { now: '2026-02-01T00:00:00.000Z', due_left: false } },
    ]);
    const expired = await get(`/api/2.0/deal/${dealV2.partner_id}/`, asAcme);
    expect(expired.json.data.status).toBe('expired');
    const asOther = { ...json, authorization: 'Token token-of-other' };
    await post('/api/2.0/deal/', asOther, dealV2);
    const other = await get(`/api/2.0/deal/${dealV2.partner_id}/`, asOther);
    expect(other.json.data.created_at).toBe('2026-01-01T00:00:00.000Z');
  });

  test.each([
    [{}, 'required'],
    [{ advance_seconds: 0 }, 'out_of_range'],
    [{ advance_seconds: -1 }, 'out_of_range'],
    [{ advance_seconds: 10 * 365 * 24 * 60 * 60 + 1 }, 'out_of_range'],
    [{ advance_seconds: 1.5 }, 'not_an_integer'],
    [{ advance_seconds: '1' }, 'wrong_type'],
  ])('does not move it by %j', async (body, code) => {
    const { status, json: told } = await post('/api/2.0/sandbox/clock/', asAcme, body);
    expect([status, told.errors]).toMatchObject([400, [{ path: ['advance_seconds'], code }]]);
  });

  test('does not move it to where no deadline can be written', async () => {
    const advance_seconds = 10 * 365 * 24 * 60 * 60;
    for (let moves = 0; moves < 698; moves += 1) {
      await post('/api/2.0/sandbox/clock/', asAcme, { advance_seconds });
    }
    const last = await post('/api/2.0/sandbox/clock/', asAcme, { advance_seconds });
    expect(last.json.errors).toMatchObject([{ code: 'out_of_range' }]);
    const made = await post('/api/2.0/deal/', asAcme, { ...dealV2, partner_id: 'late' });
    expect(made.status).toBe(201);
  });

  test('is not there in production', async () => {
    const asLive = { ...json, authorization: `Token ${liveToken}` };
    await post('/api/2.0/deal/', asLive, dealV2);
    expect((await give('freelancer', 'accept', {}, asLive)).status).toBe(404);
    const moved = await post('/api/2.0/sandbox/clock/', asLive, { advance_seconds: 1 });
    expect(moved.status).toBe(404);
  });

  test('has freelancers that answer by themselves, of both versions', async () => {
    for (const [answer, status] of [
      ['accept', 'accepted'],
      ['decline', 'cancelled'],
    ] as const) {
      const email = `user+${answer}@example.com`;
      await post('/api/1.0/contractor/', asAcme, { ...contractor, email });
      const names = [`${answer}-1`, `${answer}-2`] as const;
      await post('/api/1.0/deal/', asAcme, {
        ...deal,
        partner_id: names[0],
        contractor_email: email,
      });
      await post('/api/2.0/deal/', asAcme, {
        ...dealV2,
        partner_id: names[1],
        email_freelancer: email,
      });
      const ran = await post('/operator/run-effects/', asOperator);
      expect(ran.json.data).toEqual({ done: 2, failed: 0, failures: [] });
      for (const partner_id of names) {
        expect((await get(`/api/2.0/deal/${partner_id}/`, asAcme)).json.data.status).toBe(status);
      }
    }
    expect((await post('/operator/run-effects/', asOperator)).json.data.done).toBe(0);
  });
});
