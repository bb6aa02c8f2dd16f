import { createMarketplace } from 'dealwright';
import { createSandboxGateway } from 'dealwright/payments';
import type { MarketplacePorts, PaymentGateway, Tenant, Timer } from 'dealwright/ports';
import { createRelay } from 'dealwright/relay';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost, sandboxed } from './due-host.js';

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
});

/** A gateway that hangs for the deals whose id begins with `hang`, until the test ends them. */
function hanging() {
  const inner = createSandboxGateway();
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const payments: PaymentGateway = {
    executes: () => true,
    execute(tenant, effect) {
      if (!effect.partner_id.startsWith('hang')) return inner.execute(tenant, effect);
      asked.push(effect.partner_id);
      return new Promise((resolve) => ends.push(() => resolve(inner.execute(tenant, effect))));
    },
  };
  return { payments, asked, ends };
}

/** A host with deals whose payments are due, over a gateway that hangs for some of them. */
function hostOf(payments: PaymentGateway, deadline: number, timer?: Timer) {
  const host = createHost({
    payments,
    clock: { now: () => Date.now() },
    ...(timer && { timer }),
  } satisfies Partial<MarketplacePorts>);
  const marketplace = createMarketplace(host.ports, { deadline });
  const statusOf = async (tenant: Tenant, partner_id: string) =>
    (await marketplace.partner(tenant).retrieveDealDetails(partner_id))._unsafeUnwrap().status;
  const begin = (failures: unknown[] = []) => {
    const run = createRelay(marketplace).runDue({ onFailure: (failure) => failures.push(failure) });
    running.push(run);
    return run;
  };
  return {
    ...{ marketplace, statusOf, begin },
    async lead(tenant: Tenant, partner_id: string) {
      const { payment_token } = await host.create(tenant, partner_id);
      const freelancer = marketplace.freelancer(tenant.environment, payment_token);
      await freelancer.uploadFile({ name: 'a.txt', content: Uint8Array.of(1) });
      (await freelancer.deliver())._unsafeUnwrap();
      (await marketplace.partner(tenant).approve(partner_id))._unsafeUnwrap();
    },
  };
}

const acme = sandboxed('acme');

describe('payments for which a gateway hangs', () => {
  it('hold up no other deal of their partner, while requests are answered', async () => {
    const { payments, asked, ends } = hanging();
    const { lead, statusOf, begin } = hostOf(payments, 120_000);
    for (let at = 0; at < 30; at += 1) await lead(acme, `hang-${at}`);
    await lead(acme, 'good');
    void begin();
    // each poll is a request at the same time; held up, it would come after two minutes
    await expect.poll(() => statusOf(acme, 'good'), { interval: 20 }).toBe('completed');
    // each was requested once, in any number of turns
    expect(new Set(asked).size).toBe(asked.length);
    for (const end of ends) end();
  });

  it('go on once it answers, and are reported if it does not in time', async () => {
    const { payments, asked, ends } = hanging();
    const { lead, statusOf, begin } = hostOf(payments, 5_000);
    for (const name of ['hang-0', 'hang-1']) await lead(acme, name);
    const failures: unknown[] = [];
    void begin(failures);
    await expect.poll(() => asked.length).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 200));
    ends[0]?.();
    // the payout is requested, too
    await expect.poll(() => ends.length).toBe(3);
    ends[2]?.();
    const [first, second] = asked;
    await expect.poll(() => statusOf(acme, String(first))).toBe('completed');
    await expect
      .poll(() => failures)
      .toMatchObject([
        {
          partner: 'acme',
          partner_id: second,
          reason: expect.stringMatching(/^payments\.execute did not answer within [\d.]+ s$/),
        },
      ]);
  });

  it('are waited for by a loop that is stopped', async () => {
    const { payments, asked, ends } = hanging();
    const { lead, statusOf, begin } = hostOf(payments, 120_000);
    await lead(acme, 'hang');
    const run = begin();
    await expect.poll(() => asked.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    let isStopped = false;
    const stopping = run.stop().then(() => {
      isStopped = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isStopped).toBe(false);
    ends[0]?.();
    await stopping;
    // its answer is recorded, and the payout is left to the next loop
    const status = await statusOf(acme, 'hang');
    expect([asked, status]).toEqual([['hang'], 'approved']);
  });

  it('of many partners keep one run as long as those of one', async () => {
    const { payments } = hanging();
    const { lead, marketplace, statusOf } = hostOf(payments, 2_000);
    for (let at = 0; at < 64; at += 1) await lead(sandboxed(`partner-${at}`), 'hang');
    await lead(sandboxed('partner-99'), 'good');
    const began = Date.now();
    const report = (await marketplace.operator('sandbox').runEffects())._unsafeUnwrap();
    // in turns of eight at once, they would take 16 s
    expect(Date.now() - began).toBeLessThan(12_000);
    expect(report.failed).toBe(64);
    expect(await statusOf(sandboxed('partner-99'), 'good')).toBe('completed');
  });

  it('end a run after a minute, which says whose work is left', async () => {
    const { payments, asked } = hanging();
    const speed = 50;
    const origin = Date.now();
    const timer: Timer = {
      now: () => origin + (Date.now() - origin) * speed,
      sleep(milliseconds, wake) {
        const handle = setTimeout(wake, milliseconds / speed);
        return () => clearTimeout(handle);
      },
    };
    const { lead, marketplace } = hostOf(payments, 3_600_000, timer);
    for (const name of ['slow', 'quick'])
      await lead(sandboxed(name), name === 'slow' ? 'hang' : 'good');
    const began = timer.now();
    const report = (await marketplace.operator('sandbox').runEffects())._unsafeUnwrap();
    expect(timer.now() - began).toBeGreaterThanOrEqual(60_000);
    expect(asked).toEqual(['hang']);
    expect(report).toMatchObject({ done: 2, failed: 1 });
    const reason = 'the run ended before all of it was done';
    expect(report.failures).toEqual([{ partner: 'slow', partner_id: '', reason }]);
  });
});
