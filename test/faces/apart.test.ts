import { describe, expect, it } from 'vitest';
import { acme, createWorld, createWorldOf, file, inProcess, overHttp } from './world.js';

const key = { idempotencyKey: 'k1' };

describe('an idempotency key', () => {
  it('gives no answer of the sandbox on the face of an actor, and none the other way round', async () => {
    const { details, marketplace, offer, operatorDeals } = createWorld();
    const sandbox = marketplace.sandbox(acme);
    const { partner_id, freelancer } = await offer();
    await sandbox.command(partner_id, 'freelancer', 'accept', {}, key);
    const accepted = (await freelancer.accept({}, key))._unsafeUnwrap();
    expect(accepted).toEqual((await freelancer.view())._unsafeUnwrap());
    expect(accepted).not.toHaveProperty('payment_token');
    expect(accepted).not.toHaveProperty('billing');

    const because = { reason: 'because' };
    await sandbox.command(partner_id, 'operator', 'cancel', because, key);
    const cancelled = (await operatorDeals.cancel(partner_id, because, key))._unsafeUnwrap();
    expect(cancelled).not.toHaveProperty('payment_token');

    const other = await offer('500.00', 'other');
    await other.freelancer.accept({}, key);
    const seen = await sandbox.command('other', 'freelancer', 'accept', {}, key);
    expect(seen._unsafeUnwrap()).toEqual(await details('other'));
  });

  it('of an upload is that of one actor, and of one freelancer', async () => {
    const { api, offer } = createWorld();
    const [one, two] = [await offer(), await offer('500.00', 'other')];
    const ids = [
      await one.freelancer.uploadFile(file, key),
      await two.freelancer.uploadFile(file, key),
      await api.uploadFile({ partner_id: one.partner_id }, file, key),
    ].map((uploaded) => uploaded._unsafeUnwrap().id);
    expect(new Set(ids).size).toBe(3);
    expect((await one.freelancer.uploadFile(file, key))._unsafeUnwrap().id).toBe(ids[0]);
    const elsewhere = await api.uploadFile({ partner_id: 'other' }, file, key);
    expect(elsewhere._unsafeUnwrapErr().code).toBe('idempotency_key_reused');
  });
});

describe('a payment token', () => {
  it('is in no name or type of a file, and in no reference', async () => {
    const { api, events, offer, operatorDeals } = createWorld();
    const { partner_id, payment_token, freelancer } = await offer();
    const named = { ...file, name: `a ${payment_token} b` };
    const typed = { ...file, content_type: `text/plain;a="${payment_token}"` };
    const both = { ...named, content_type: typed.content_type };
    for (const [upload, members] of [
      [named, ['name']],
      [typed, ['content_type']],
      [both, ['name', 'content_type']],
    ] as const) {
      for (const uploaded of [
        await freelancer.uploadFile(upload),
        await api.uploadFile({ partner_id }, upload),
      ]) {
        expect(uploaded._unsafeUnwrapErr()).toMatchObject({
          errors: members.map((member) => ({ path: [member], code: 'secret_in_text' })),
        });
      }
    }
    const report = { status: 'paid', amount: '1.00', reference: payment_token } as const;
    const reported = await operatorDeals.recordEmployerPayment(partner_id, report);
    expect(reported._unsafeUnwrapErr()).toMatchObject({
      errors: [{ path: ['reference'], code: 'secret_in_text' }],
    });
    expect(JSON.stringify(await events())).not.toContain(payment_token);
    const other = await offer('500.00', 'other');
    expect((await other.freelancer.uploadFile(named)).isOk()).toBe(true);
  });

  it.each([
    ['in process', inProcess],
    ['over HTTP', overHttp],
  ])('that no deal holds learns nothing of the rules, %s', async (_, faces) => {
    const { marketplace, offer, ports } = createWorldOf(faces)();
    const { freelancer, payment_token } = await offer();
    const nobody = faces(marketplace, ports).freelancer(`${payment_token.slice(0, -1)}_`);
    const wrong = { reason: 5 } as never;
    expect((await nobody.dispute(wrong))._unsafeUnwrapErr().code).toBe('unauthorized');
    expect((await freelancer.dispute(wrong))._unsafeUnwrapErr().code).toBe('validation_failed');
  });
});
