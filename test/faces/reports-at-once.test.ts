import { createMarketplace } from 'dealwright';
import { expect, it } from 'vitest';
import { acme, createWorld, file } from './world.js';

it('counts two payments that two processes report at once after a charge-back', async () => {
  const { api, details, offer, ports, operatorDeals } = createWorld();
  const { partner_id, freelancer } = await offer();
  await freelancer.uploadFile(file);
  await freelancer.deliver();
  await api.approve(partner_id);
  const [payment] = (await details()).billing.employer_payments;
  const payment_id = payment?.id ?? '';
  const charged = { status: 'charged_back', amount: '500.00', reference: 'charge-back' } as const;
  (
    await operatorDeals.recordEmployerPayment(partner_id, { payment_id, ...charged })
  )._unsafeUnwrap();
  // the charge-back has counted the first of them already, so it comes without an event
  const reports = await Promise.all(
    ['first', 'second'].map((reference) =>
      createMarketplace(ports)
        .operator(acme.environment)
        .partner(acme.partner)
        .recordEmployerPayment(partner_id, { payment_id, status: 'paid', reference }),
    ),
  );
  expect(reports.map((each) => each.isOk())).toEqual([true, true]);
  expect((await details()).billing).toMatchObject({ paid: '1000.00', charged_back: '500.00' });
});
