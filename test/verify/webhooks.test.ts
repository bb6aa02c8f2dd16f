import { type AddressInfo, createServer } from 'node:net';
import { type CaseResult, type VerifyOptions, verifiedLaws, verify } from 'dealwright/verify';
import { createWebhookSender } from 'dealwright/webhooks';
import { describe, expect, it } from 'vitest';
import { createInMemory } from './in-memory.js';
import { type DeliveryMutant, deliveryMutants } from './mutants/deliveries.js';

/** Laws about private addresses: this service posts to 127.0.0.1. */
const ofPublicOnly = ['7.9/webhooks/private-address', '7.9/webhooks/spelling', '7.9/webhooks/port'];

/** The beginnings of the ids of all laws about webhooks. */
const beginnings = new Set(
  verifiedLaws()
    .map(({ id }) => id.split('/').slice(0, 2).join('/'))
    .filter((id) => id.endsWith('/webhooks')),
);

/** Judges a service that posts webhooks. */
async function judge(
  options: Partial<VerifyOptions>,
  { send = (each) => each, fetch: change = (each) => each }: Partial<DeliveryMutant> = {},
) {
  // no name is looked up
  const sender = createWebhookSender({ allowPrivate: true, resolve: async () => [] });
  const service = createInMemory({ webhooks: { ...sender, send: send(sender.send) } });
  const { fetch: forward = globalThis.fetch, ...own } = service.options;
  const answer = change((request) => forward(request));
  const failures: unknown[] = [];
  const stop = service.dealwright.start((failure) => failures.push(failure));
  try {
    const report = await verify({
      ...own,
      receiver: {},
      fetch: async (input, init) => answer(new Request(input, init)),
      ...options,
    });
    return { ...report, failures };
  } finally {
    await stop();
  }
}

describe('a service that posts webhooks', () => {
  it.each([...beginnings])('keeps every law %s, and has no webhook left', async (only) => {
    const { results, left, failures } = await judge({ only });
    const failed = results.filter(({ outcome }) => outcome === 'failed').map(told);
    expect(failed).toEqual([]);
    const notJudged = results.filter(({ outcome }) => outcome === 'not_applicable').map(told);
    const expected = results.filter(({ law }) => ofPublicOnly.includes(law.id)).map(told);
    expect(notJudged).toEqual(expected);
    expect(left['webhooks'] ?? 0).toBe(0);
    expect(failures).toEqual([]);
  });
});

describe('a mistake in deliveries', () => {
  it.each(deliveryMutants)('$law finds: $name', async (mutant) => {
    const { results } = await judge({ only: mutant.law, timeout: 1_000 }, mutant);
    const failed = results.filter(({ outcome }) => outcome === 'failed');
    expect(failed.length).toBeGreaterThan(0);
  });
});

it('says that laws of deliveries are not applicable if the receiver is refused', async () => {
  const { options } = createInMemory();
  const { results } = await verify({ ...options, receiver: {}, only: '7.2/webhooks/signature' });
  for (const { outcome, reason } of results) {
    expect([outcome, reason]).toEqual(['not_applicable', expect.stringContaining('127.0.0.1')]);
    expect(reason).toContain('address_not_allowed');
  }
});

const told = ({ law, variant, reason, failure }: CaseResult) =>
  [law.id, variant, reason, failure?.message, failure?.curl, failure?.answer].join('\n');

it('loses no report if its receiver cannot listen', async () => {
  const occupied = createServer();
  await new Promise<void>((resolve) => occupied.listen(0, '127.0.0.1', resolve));
  const { port } = occupied.address() as AddressInfo;
  try {
    const { results } = await judge({ only: '7.7/webhooks', receiver: { port } });
    expect(results.length).toBeGreaterThan(0);
    for (const { outcome, reason } of results) {
      expect([outcome, reason]).toEqual([
        'not_applicable',
        expect.stringContaining('the receiver of webhooks cannot listen'),
      ]);
    }
  } finally {
    occupied.close();
  }
});
