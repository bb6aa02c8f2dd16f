import { createMarketplace } from 'dealwright';
import { createOperatorAuthenticator, createRateLimiter } from 'dealwright/auth';
import type { LimitedCaller, Limiter, Usage } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { acme, asAcme, ask, createService, dealV2 } from './service.js';

const operatorToken = 'operator-token-of-the-host';
const ofOperator = { authorization: `Operator ${operatorToken}` };
const view = `/api/2.0/deal/by-id/?partner_id=${dealV2.partner_id}`;
const description = 'a'.repeat(20_000);

/** A service with a deal of a long text, and what its limiter is told. */
async function createMeasured(limiter: Limiter, text = description) {
  const ports = { ...createPorts(), paymentTokens: createOpaqueTokenIssuer() };
  const created = await createMarketplace(ports)
    .partner(acme)
    .createDealV2({ ...dealV2, description: text });
  const { payment_token } = created._unsafeUnwrap();
  const operatorAuthenticator = createOperatorAuthenticator([[operatorToken, 'sandbox']], ports);
  const service = createService({ ports, limiter, operatorAuthenticator });
  return { service, ofOffer: { authorization: `Offer ${payment_token}` }, ports, payment_token };
}

type Told = readonly [who: string, of: Usage['of'], size: number];

function noting() {
  const told: Told[] = [];
  const nameOf = ({ kind, key }: LimitedCaller) => `${kind} ${key}`;
  const limiter: Limiter = {
    take: () => ok({ allowed: true }),
    takeOther: () => ok({ allowed: true }),
    spend: ({ environment, partner }, { of, size }) =>
      told.push([`${environment} ${partner}`, of, size]),
    spendOther: (other, { of, size }) => told.push([nameOf(other), of, size]),
  };
  const sum = (of: Usage['of']) =>
    told.reduce((all, [, kind, size]) => all + (kind === of ? size : 0), 0);
  const takeAll = () => {
    const all = { records: sum('records'), json: sum('json'), file: sum('file') };
    const who = [...new Set(told.map(([name]) => name))];
    told.length = 0;
    return { ...all, who };
  };
  return { limiter, takeAll };
}

describe('a limiter that counts what is needed', () => {
  it('is told of records and answers, for the caller that asks', async () => {
    const { limiter, takeAll } = noting();
    const { service, ofOffer, ports, payment_token } = await createMeasured(limiter);
    const asked = [
      [view, asAcme, 'sandbox acme'],
      ['/api/2.0/offer/', ofOffer, `offer ${ports.digest(payment_token)}`],
      [
        `/operator/deal/?partner=acme&partner_id=${dealV2.partner_id}`,
        ofOperator,
        `operator ${ports.digest(operatorToken)}`,
      ],
    ] as const;
    for (const [path, headers, who] of asked) {
      const { status, body } = await ask(service, path, { method: 'GET', headers });
      expect(status).toBe(200);
      const told = takeAll();
      expect(told).toMatchObject({ json: String(body).length, file: 0, who: [who] });
      // the operator's list shows no description
      expect(told.records).toBeGreaterThan(who.startsWith('operator') ? 200 : description.length);
    }
    // a refusal after a read has cost that
    const proposal = { kind: 'amendment', changes: {} };
    const path = `/api/2.0/deal/${dealV2.partner_id}/proposal/`;
    const { status } = await ask(service, path, { body: proposal });
    expect(status).toBe(400);
    expect(takeAll()).toMatchObject({
      json: JSON.stringify(proposal).length,
      who: ['sandbox acme'],
    });
  });

  it('is told of files as they come and go, and of nothing for HEAD but what was read', async () => {
    const { limiter, takeAll } = noting();
    const { service, ofOffer } = await createMeasured(limiter);
    const content = new Uint8Array(100_000);
    const boundary = 'b';
    const form = new Blob([
      `--b\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`,
      content,
      '\r\n--b--\r\n',
    ]);
    const bytes = new Uint8Array(await form.arrayBuffer());
    const pieces = [bytes.subarray(0, 60_000), bytes.subarray(60_000)];
    await ask(service, '/api/2.0/offer/accept/', { headers: { ...ofOffer } });
    takeAll();
    const uploaded = await ask(service, '/api/2.0/offer/file/', {
      headers: { ...ofOffer, 'content-type': `multipart/form-data; boundary=${boundary}` },
      chunks: pieces,
    });
    expect(uploaded.status).toBe(201);
    const told = takeAll();
    expect(told).toMatchObject({ file: bytes.length, json: String(uploaded.body).length });
    const path = `/api/2.0/offer/file/${uploaded.json.data.id}/`;
    const downloaded = await ask(service, path, { method: 'GET', headers: ofOffer });
    expect(takeAll()).toMatchObject({ file: 0, json: 0 });
    for await (const _ of downloaded.body as AsyncIterable<Uint8Array>);
    expect(takeAll()).toEqual({
      records: 0,
      json: 0,
      file: content.length,
      who: [expect.any(String)],
    });
    await ask(service, '/api/2.0/offer/', { method: 'HEAD', headers: ofOffer });
    const ofHead = takeAll();
    expect(ofHead.records).toBeGreaterThan(description.length);
    expect(ofHead.json).toBe(0);
  });

  it('may fail: the request goes on', async () => {
    const fails: Limiter = {
      take: () => ok({ allowed: true }),
      takeOther: () => ok({ allowed: true }),
      spend: () => {
        throw new Error('down');
      },
      spendOther: async () => {
        throw new Error('down');
      },
    };
    const { service, ofOffer } = await createMeasured(fails);
    expect((await ask(service, view, { method: 'GET' })).status).toBe(200);
    const headers = ofOffer;
    expect((await ask(service, '/api/2.0/offer/', { method: 'GET', headers })).status).toBe(200);
  });

  it('refuses until what was needed has come back', async () => {
    const timer = createManualClock();
    const offers = { perSecond: 1, burst: 1 };
    const limiter = createRateLimiter({ timer, perSecond: 1_000, offers });
    const { service, ofOffer } = await createMeasured(limiter);
    const get = async () => {
      const asked = await ask(service, '/api/2.0/offer/', { method: 'GET', headers: ofOffer });
      return [asked.status, asked.headers['retry-after']];
    };
    expect(await get()).toEqual([200, undefined]);
    // the read, with the text of 20 kB, needs what two requests have, and the answer more than one
    expect(await get()).toEqual([429, '11']);
    timer.advance(8_000);
    expect(await get()).toEqual([429, '3']);
    timer.advance(3_000);
    expect(await get()).toEqual([200, undefined]);
  });

  it('refuses after many long requests at once until all of them are paid for', async () => {
    const timer = createManualClock();
    const offers = { perSecond: 1, burst: 100 };
    const limiter = createRateLimiter({ timer, perSecond: 1_000, offers });
    // JSON has six bytes for each of its characters
    const { service, ofOffer } = await createMeasured(limiter, '\u0001'.repeat(20_000));
    const get = async () =>
      (await ask(service, '/api/2.0/offer/', { method: 'GET', headers: ofOffer })).status;
    const all = await Promise.all(Array.from({ length: 40 }, get));
    const passed = all.filter((status) => status === 200).length;
    expect(passed).toBeGreaterThan(1);
    // each counts as some fifty
    timer.advance((45 * passed - 100) * 1_000);
    expect(await get()).toBe(429);
    timer.advance(10 * passed * 1_000);
    expect(await get()).toBe(200);
  });
});
