import type { WorkFile } from '../../src/domain/deals/work-file.js';
import { check, equal, errOf, okOf } from '../expectations.js';
import { walk } from './lists.js';
import {
  contractor,
  createDocumentedDeal,
  type DefineCase,
  deal,
  dealV2,
  file,
  invalid,
  plain,
  told,
} from './subject.js';
import { filesOf } from './uploads.js';

/** Decisions 2.1 to 2.3: the names of deals and contractors, and their scopes. */
export function identity(define: DefineCase): void {
  define('a partner_id names one deal across both versions', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    okOf(await api.createDeal(deal), 'a 1.0 deal');
    plain(errOf(await api.createDealV2(dealV2), 'a 2.0 deal'), 'deal_exists');
    okOf(await api.createDealV2({ ...dealV2, partner_id: 'second' }), 'a 2.0 deal');
    const back = await api.createDeal({ ...deal, partner_id: 'second' });
    plain(errOf(back, 'a 1.0 deal'), 'deal_exists');
  });

  define('a partner_id is compared code point by code point', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const alike = ['id', 'ID', 'id ', ' id', 'i\u0307d', '\u00e9', 'e\u0301', 'ß', 'ss', '0', '00'];
    for (const partner_id of alike) {
      okOf(await api.createDealV2({ ...dealV2, partner_id }), `the id ${partner_id}`);
    }
    for (const partner_id of alike) {
      const again = await api.createDeal({ ...deal, partner_id });
      plain(errOf(again, `the id ${partner_id} again`), 'deal_exists');
    }
  });

  define('a partner_id is its own in each tenant', async ({ api, other, live }) => {
    const tokens = new Set<string>();
    for (const view of [api, other, live]) {
      tokens.add(okOf(await view.createDealV2(dealV2), 'the same partner_id').payment_token);
    }
    equal(tokens.size, 3, 'the number of different tokens');
    for (const view of [api, other, live]) {
      plain(errOf(await view.createDealV2(dealV2), 'the second'), 'deal_exists');
    }
  });

  define('a contractor is known within its environment, to all partners', async (views) => {
    const { api, other, live } = views;
    okOf(await api.registerContractor(contractor), 'the contractor');
    okOf(await other.createDeal(deal), 'another partner can commission it');
    invalid(errOf(await live.createDeal(deal), 'the other environment does not know it'), [
      { path: ['contractor_email'], code: 'unknown_contractor' },
    ]);
    const own = errOf(await api.registerContractor(contractor), 'again by the same partner');
    const foreign = errOf(await other.registerContractor(contractor), 'again by another');
    equal(told(foreign), told(own), 'nothing tells who registered it');
    okOf(await live.registerContractor(contractor), 'the other environment has its own');
  });

  define('an address is the same in any ASCII case, and stays as it was given', async ({ api }) => {
    const email = 'Some.User@Example.COM';
    const registered = await api.registerContractor({ ...contractor, email });
    equal(okOf(registered, 'the contractor'), { contractor_email: email }, 'the answer');
    const folded = { ...contractor, email: email.toLowerCase() };
    plain(errOf(await api.registerContractor(folded), 'folded'), 'contractor_exists');
    okOf(await api.createDeal({ ...deal, contractor_email: email.toUpperCase() }), 'a deal');
  });
}

/** Decision 2.7 and the races: the first create to commit wins, alone. */
export function races(define: DefineCase): void {
  const forty = Array.from({ length: 40 }, (_, index) => index);

  define('of 40 creates of one partner_id, of both versions, one wins', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const results = await Promise.all(
      forty.map(async (index) =>
        index % 2 === 0 ? await api.createDeal(deal) : await api.createDealV2(dealV2),
      ),
    );
    equal(results.filter((result) => result.isOk()).length, 1, 'the number of winners');
    for (const result of results) if (result.isErr()) plain(result.error, 'deal_exists');
  });

  define('of 40 registrations of one address, in any case, one wins', async ({ api, other }) => {
    const results = await Promise.all(
      forty.map((index) => {
        const email = index % 3 === 0 ? 'USER@example.com' : 'user@EXAMPLE.com';
        return (index % 2 === 0 ? api : other).registerContractor({ ...contractor, email });
      }),
    );
    equal(results.filter((result) => result.isOk()).length, 1, 'the number of winners');
    for (const result of results) if (result.isErr()) plain(result.error, 'contractor_exists');
  });

  define('40 creates with one key and the same input get one answer', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const options = { idempotencyKey: 'one-key' };
    const answers = await Promise.all(forty.map(() => api.createDeal(deal, options)));
    const [first] = answers.map((answer) => okOf(answer, 'an answer'));
    check(first !== undefined, 'there is a first');
    for (const answer of answers) equal(okOf(answer, 'an answer'), first, 'the answer');
    const second = { ...dealV2, partner_id: 'second' };
    const others = await Promise.all(
      forty.map(() => api.createDealV2(second, { idempotencyKey: 'second-key' })),
    );
    const tokens = new Set(others.map((answer) => okOf(answer, 'an answer').payment_token));
    equal(tokens.size, 1, 'the number of tokens');
  });

  define("losers with the winner's key get its answer, the others a conflict", async ({ api }) => {
    const options = { idempotencyKey: 'one-key' };
    const [winner, ...results] = await Promise.all([
      api.createDealV2(dealV2, options),
      ...forty.map((index) => api.createDealV2(dealV2, index % 2 === 0 ? options : undefined)),
    ]);
    const all = [winner, ...results];
    const successes = all.filter((result) => result.isOk()).map((result) => result.value);
    check(successes.length >= 1, 'somebody wins');
    for (const success of successes) equal(success, successes[0], 'the one answer');
    for (const result of all) if (result.isErr()) plain(result.error, 'deal_exists');
    const byKey = [winner, ...results.filter((_, index) => index % 2 === 0)];
    const keyed = byKey.filter((result) => result.isOk()).length;
    check(keyed === 0 || keyed === byKey.length, 'those with the key win together or not at all');
  });

  define('40 creates of different deals all win', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const results = await Promise.all(
      forty.map((index) => api.createDeal({ ...deal, partner_id: `deal-${index}` })),
    );
    const ids = new Set(results.map((result) => okOf(result, 'a deal').id));
    equal(ids.size, 40, 'the number of different ids');
  });

  define('20 uploads to one deal are all kept', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    const results = await Promise.all(
      forty.slice(0, 20).map((index) => api.uploadFile({ id }, { ...file, name: `${index}.txt` })),
    );
    const uploaded = results.map((result) => okOf(result, 'an upload'));
    const sorted = (all: readonly WorkFile[]) => [...all].sort((a, b) => (a.id < b.id ? -1 : 1));
    const found = await filesOf(api, id);
    equal(sorted(found), sorted(uploaded), 'the files');
    equal(new Set(found.map(({ name }) => name)).size, 20, 'the number of different names');
  });

  define('20 uploads with one key keep one file and get one answer', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    const options = { idempotencyKey: 'one-key' };
    const results = await Promise.all(
      forty.slice(0, 20).map(() => api.uploadFile({ id }, file, options)),
    );
    const [first] = await filesOf(api, id);
    equal((await filesOf(api, id)).length, 1, 'the number of files');
    for (const result of results) equal(okOf(result, 'an upload'), first, 'the one answer');
  });

  define('lists that are read while deals are created show each deal once', async ({ api }) => {
    okOf(await api.registerContractor(contractor), 'the contractor');
    const creating = Promise.all(
      forty.map((index) =>
        index % 2 === 0
          ? api.createDeal({ ...deal, partner_id: `deal-${index}` }).map(() => index)
          : api.createDealV2({ ...dealV2, partner_id: `deal-${index}` }).map(() => index),
      ),
    );
    for (let round = 0; round < 5; round += 1) {
      const names = (await walk(api, { page_size: 7 })).map(({ partner_id }) => partner_id);
      equal(new Set(names).size, names.length, 'none twice');
    }
    for (const created of await creating) okOf<unknown, unknown>(created, 'a deal');
    const all = await walk(api, { page_size: 7 });
    equal(new Set(all.map(({ partner_id }) => partner_id)).size, 40, 'all of them');
    equal(all.length, 40, 'each once');
  });
}
