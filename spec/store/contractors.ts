import { equal } from '../expectations.js';
import {
  acme,
  acmeLive,
  allEvents,
  ask,
  contractorOf,
  type DefineCase,
  globex,
  knownKey,
  registration,
} from './subject.js';

const created = { outcome: 'created' };
const byEmail = { outcome: 'exists', by: 'email' };

/** What `ContractorRepository` promises. */
export function contractors(define: DefineCase): void {
  define('keeps a contractor as it was given', async (store) => {
    const { contractors } = store;
    const contractor = {
      ...contractorOf('User@Example.com'),
      name: '😀 Zażółć "quoted" \\ \u0001 \u2028',
      house_no: '50',
      tax_id: ' 22-345/6781 ',
      street: 'Long '.repeat(4000),
    };
    const given = { ...registration(acme), contractor };
    equal(await ask(contractors.byKey(acme, knownKey)), undefined, 'nobody yet');
    equal(await ask(contractors.add(acme, given)), created, 'the outcome');
    const read = await ask(contractors.byKey(acme, knownKey));
    equal(read, { value: contractor, version: 1 }, 'the contractor');
    equal(await allEvents(store, acme), given.events, 'its event');
  });

  define('says who was first, and changes nothing', async (store) => {
    const first = registration(acme);
    await ask(store.contractors.add(acme, first));
    const second = { ...registration(acme), contractor: contractorOf('other@example.com') };
    equal(await ask(store.contractors.add(acme, second)), byEmail, 'the same partner');
    equal(await ask(store.contractors.add(globex, registration(globex))), byEmail, 'another');
    const read = await ask(store.contractors.byKey(acme, knownKey));
    equal(read, { value: first.contractor, version: 1 }, 'the contractor');
    equal(await allEvents(store, acme), first.events, 'the events');
    equal(await allEvents(store, globex), [], 'the events of another');
  });

  define('keeps environments and registers apart, and shares a register', async (store) => {
    const { contractors } = store;
    const own = { ...knownKey, register: 'acme' };
    equal(await ask(contractors.add(acme, registration(acme))), created, 'the shared register');
    equal((await ask(contractors.byKey(globex, knownKey))) !== undefined, true, 'another sees it');
    equal(await ask(contractors.byKey(acmeLive, knownKey)), undefined, 'not elsewhere');
    equal(await ask(contractors.byKey(acme, own)), undefined, 'not in another register');
    equal(await ask(contractors.add(acme, registration(acme, own))), created, 'its own register');
    equal(await ask(contractors.add(acmeLive, registration(acmeLive))), created, 'elsewhere');
  });

  define('judges the idempotency key before the address', async (store) => {
    const { contractors } = store;
    const idempotency = { key: 'Key', fingerprint: 'first' };
    const contractor = contractorOf('USER@example.com');
    await ask(contractors.add(acme, { ...registration(acme, knownKey, idempotency), contractor }));
    const other = { ...knownKey, email_key: 'other@example.com' };
    for (const key of [knownKey, other]) {
      const retry = registration(acme, key, { key: 'Key', fingerprint: 'second' });
      equal(
        await ask(contractors.add(acme, retry)),
        {
          outcome: 'exists',
          by: 'idempotency_key',
          first: { fingerprint: 'first' },
        },
        'the first answer',
      );
    }
    equal(await ask(contractors.byKey(acme, other)), undefined, 'nothing was stored');
    const lower = { key: 'key', fingerprint: 'first' };
    equal(await ask(contractors.add(acme, registration(acme, knownKey, lower))), byEmail, 'exact');
  });

  define(
    'keeps keys of tenants apart, and those of contractors from those of deals',
    async (store) => {
      const idempotency = { key: 'key', fingerprint: 'f' };
      await ask(store.contractors.add(acme, registration(acme, knownKey, idempotency)));
      const other = { ...knownKey, email_key: 'other@example.com' };
      const foreign = registration(globex, other, idempotency);
      equal(await ask(store.contractors.add(globex, foreign)), created, 'another partner');
      const live = registration(acmeLive, knownKey, idempotency);
      equal(await ask(store.contractors.add(acmeLive, live)), created, 'another environment');
    },
  );

  define('forgets the key of a refusal', async ({ contractors }) => {
    await ask(contractors.add(acme, registration(acme)));
    const idempotency = { key: 'key', fingerprint: 'f' };
    const refused = registration(acme, knownKey, idempotency);
    equal(await ask(contractors.add(acme, refused)), byEmail, 'a refusal');
    const other = { ...knownKey, email_key: 'other@example.com' };
    const next = registration(acme, other, idempotency);
    equal(await ask(contractors.add(acme, next)), created, 'the key is free');
  });
}
