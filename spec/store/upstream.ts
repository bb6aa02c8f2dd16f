import { isPaymentToken } from '../../src/domain/deal-v2.js';
import type { UpstreamStorePorts, UpstreamUpload } from '../../src/ports/upstream-store.js';
import { type ContractRunner, check, checkRunner, equal } from '../expectations.js';
import { anyStore } from './any-store.js';
import { acme, addition, additionV2, ask, globex, registration } from './subject.js';

/**
 * What the suite of stores whose deals are another service's is run against: an empty service for
 * each case, which knows the tenants of `contractTenants`, the subcategory 75, and makes one stage
 * of a deal.
 */
export interface UpstreamStoreSubject extends UpstreamStorePorts {
  close(): PromiseLike<void>;
}

/**
 * Everything that a store promises to the core where another service keeps the deals of record:
 * what `storeContract` asks of any store, and lists and work files as that service decides them.
 * Nothing is left out for any subject.
 *
 * @example
 * ```ts
 * import { describe, it } from 'node:test';
 * import { type UpstreamStoreSubject, upstreamStoreContract } from 'dealwright/spec';
 *
 * declare function makeStore(): UpstreamStoreSubject;
 * upstreamStoreContract({ describe, it }, makeStore);
 * ```
 */
export function upstreamStoreContract(
  runner: ContractRunner,
  makeStore: () => UpstreamStoreSubject | PromiseLike<UpstreamStoreSubject>,
): void {
  checkRunner(runner, 'upstreamStoreContract');
  const define: DefineCase = (name, body) => {
    runner.it(name, async () => {
      const store = await makeStore();
      try {
        await body(store);
      } finally {
        await store.close();
      }
    });
  };
  const groups = { 'any store': anyStore, tokens, lists, 'work files': workFiles };
  for (const [name, group] of Object.entries(groups)) {
    runner.describe(`upstream store: ${name}`, () => group(define));
  }
}

type DefineCase = (name: string, body: (store: UpstreamStoreSubject) => Promise<void>) => void;

function tokens(define: DefineCase): void {
  define('says which token a 2.0 deal was given, and issues one a deal', async ({ dealsV2 }) => {
    const issued = new Set<string>();
    for (const [tenant, name] of [
      [acme, 'one'],
      [acme, 'two'],
      [globex, 'one'],
    ] as const) {
      const given = additionV2(tenant, name);
      const deal = { ...given.deal, payment_token: '' };
      const outcome = await ask(dealsV2.add(tenant, { ...given, deal }));
      check(outcome.outcome === 'created', 'the deal is created');
      check(isPaymentToken(outcome.payment_token), 'its token is one');
      const read = await ask(dealsV2.byPartnerId(tenant, name));
      equal(read?.value.payment_token, outcome.payment_token, 'the token of the deal');
      issued.add(outcome.payment_token);
    }
    equal(issued.size, 3, 'the number of different tokens');
  });
}

function lists(define: DefineCase): void {
  define('pages a list by cursors, there and back, each deal once', async (store) => {
    const { dealIndex, dealsV2 } = store;
    const names: string[] = [];
    for (let index = 0; index < 11; index += 1) {
      names.unshift(`deal-${index}`);
      await ask(dealsV2.add(acme, additionV2(acme, `deal-${index}`)));
    }
    let pages = 0;
    const pageAt = async (cursor: string | undefined) => {
      const page = await ask(dealIndex.page(acme, {}, { cursor, page_size: 4 }));
      check(page !== 'invalid_cursor', 'a cursor of this list is one');
      check(page.entries.length <= 4, 'a page has no more than was asked for');
      pages += 1;
      check(pages <= 20, 'the list comes to an end');
      return page;
    };
    const there: string[][] = [];
    let page = await pageAt(undefined);
    equal(page.previous, null, 'nothing is newer than the first page');
    for (;;) {
      there.push(page.entries.map(({ partner_id }) => partner_id));
      if (page.next === null) break;
      page = await pageAt(page.next);
    }
    equal(there.flat(), names, 'the newest first');
    const back: string[][] = [];
    for (;;) {
      back.unshift(page.entries.map(({ partner_id }) => partner_id));
      if (page.previous === null) break;
      page = await pageAt(page.previous);
    }
    equal(back.flat(), names, 'the same on the way back');
  });

  define('lists what passes the filter, of the tenant alone', async (store) => {
    await ask(store.contractors.add(acme, registration(acme)));
    await ask(store.deals.add(acme, addition(acme, 'one')));
    await ask(store.dealsV2.add(acme, additionV2(acme, 'two')));
    await ask(store.dealsV2.add(globex, additionV2(globex, 'three')));
    const found = async (filter: Parameters<typeof store.dealIndex.page>[1]) => {
      const query = { cursor: undefined, page_size: 100 };
      const page = await ask(store.dealIndex.page(acme, filter, query));
      check(page !== 'invalid_cursor', 'there is no cursor');
      return page.entries.map(({ partner_id }) => partner_id);
    };
    equal(await found({}), ['two', 'one'], 'all');
    equal(await found({ partner_id: 'one' }), ['one'], 'by partner_id');
    equal(await found({ email_key: 'freelancer@example.com' }), ['two'], 'by address');
    equal(
      await found({ status: 'created', freelancer_status: 'new' }),
      ['two', 'one'],
      'by status',
    );
    equal(await found({ status: 'expired' }), [], 'by another');
    equal(await found({ created_to: '2000-01-01T00:00:00.000Z' }), [], 'by time');
    equal((await found({ created_from: '2000-01-01T00:00:00.000Z' })).length, 2, 'by time');
  });

  define('knows a cursor that is none', async ({ dealIndex }) => {
    for (const cursor of ['', 'garbage', '😀']) {
      const page = await ask(dealIndex.page(acme, {}, { cursor, page_size: 1 }));
      equal(page, 'invalid_cursor', cursor);
    }
  });
}

const sha256OfAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

async function* abc(): AsyncGenerator<Uint8Array> {
  for (const byte of [0x61, 0x62, 0x63]) yield Uint8Array.of(byte);
}

function uploadTo(deal_id: number, more: Partial<UpstreamUpload> = {}): UpstreamUpload {
  const said = { name: 'draft.txt', content_type: 'text/plain' };
  return { deal_id, ...said, content: abc(), idempotencyKey: undefined, ...more };
}

function workFiles(define: DefineCase): void {
  const created = async (store: UpstreamStoreSubject) => {
    await ask(store.contractors.add(acme, registration(acme)));
    const outcome = await ask(store.deals.add(acme, addition(acme, 'deal')));
    check(outcome.outcome === 'created', 'the deal is created');
    return { id: outcome.id, stage_id: outcome.stage_ids[0] ?? 0 };
  };
  const filesOf = async ({ deals }: UpstreamStoreSubject, id: number) => {
    const deal = await ask(deals.byId(acme, id));
    return deal?.value.stages.flatMap(({ work_files }) => work_files);
  };

  define('stores a file under its stage, whenever the stage is known', async (store) => {
    const { id, stage_id } = await created(store);
    const stored = [];
    const late = { isRead: false };
    async function* watched() {
      yield* abc();
      late.isRead = true;
    }
    const stage = () => {
      check(late.isRead, 'a stage is asked for when the content was read');
      return stage_id;
    };
    for (const upload of [
      uploadTo(id),
      uploadTo(id, { stage_id }),
      uploadTo(id, { stage_id: () => undefined }),
      uploadTo(id, { stage_id: stage, content: watched() }),
    ]) {
      const outcome = await ask(store.workFiles.add(acme, upload));
      check(outcome.outcome === 'stored', `the file is ${outcome.outcome}`);
      const { id: _, uploaded_at: __, ...rest } = outcome.file;
      const said = { name: 'draft.txt', content_type: 'text/plain' };
      equal(rest, { ...said, stage_id, size: 3, sha256: sha256OfAbc }, 'the file');
      stored.push(outcome.file);
    }
    equal(await filesOf(store, id), stored, 'the files of the deal');
  });

  define('answers a repeat under its key, and refuses another file under it', async (store) => {
    const { id } = await created(store);
    const key = { idempotencyKey: 'key' };
    const first = await ask(store.workFiles.add(acme, uploadTo(id, key)));
    equal(await ask(store.workFiles.add(acme, uploadTo(id, key))), first, 'the repeat');
    const other = await ask(store.workFiles.add(acme, uploadTo(id, { ...key, name: 'other' })));
    equal(other, { outcome: 'exists', by: 'idempotency_key' }, 'another file');
    equal((await filesOf(store, id))?.length, 1, 'the number of files');
  });

  define('finds no deal of another, and no stage that the deal has not', async (store) => {
    const { id } = await created(store);
    const nowhere = { outcome: 'missing' };
    equal(await ask(store.workFiles.add(globex, uploadTo(id))), nowhere, "somebody else's");
    equal(await ask(store.workFiles.add(acme, uploadTo(id + 1_000_000))), nowhere, 'none');
    for (const stage_id of [2 ** 53 - 1, () => 2 ** 53 - 1]) {
      const outcome = await ask(store.workFiles.add(acme, uploadTo(id, { stage_id })));
      equal(outcome, { outcome: 'unknown_stage' }, 'the stage');
    }
    equal(await filesOf(store, id), [], 'nothing is kept');
  });

  define(
    'keeps nothing of a content that breaks off, or of a stage that is none',
    async (store) => {
      const { id } = await created(store);
      async function* broken() {
        yield* abc();
        throw new Error('the line is dead');
      }
      const throws = () => {
        throw new Error('no stage');
      };
      for (const more of [{ content: broken() }, { stage_id: throws }]) {
        const key = { idempotencyKey: 'key' };
        const result = await store.workFiles.add(acme, uploadTo(id, { ...more, ...key }));
        check(result.isErr(), 'it fails');
      }
      equal(await filesOf(store, id), [], 'nothing is kept');
      const again = await ask(store.workFiles.add(acme, uploadTo(id, { idempotencyKey: 'key' })));
      equal(again.outcome, 'stored', 'the key is free');
    },
  );
}
