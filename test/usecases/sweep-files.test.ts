import { createMarketplace } from 'dealwright';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { contractorBody, dealBody } from '../domain/field-tables.js';
import { content, createWorld, day, hour, start, swept } from './files-world.js';
import { acme } from './marketplace-with.js';

const leastAge = 2 * hour;

describe('a sweep', () => {
  it('deletes what no record names and is old enough, and nothing else', async () => {
    const { timer, marketplace, orphan, kept } = createWorld();
    const api = marketplace.partner(acme);
    await api.registerContractor(contractorBody);
    const { id } = (await api.createDeal(dealBody))._unsafeUnwrap();
    const file = (
      await api.uploadFile({ id }, { name: 'a', content: Uint8Array.of(1) })
    )._unsafeUnwrap();
    await orphan(start, 900);
    const exactly = await orphan(start + day, 901);
    const younger = await orphan(start + day + 1, 902);
    const foreign = { environment: 'sandbox', partner: 'globex' } as const;
    const theirs = await orphan(start, 903, foreign);
    const live = { environment: 'production', partner: 'acme' } as const;
    const inProduction = await orphan(start, 904, live);
    expect((await marketplace.sweepFiles(acme))._unsafeUnwrap()).toEqual(swept(4, 0));
    timer.advance(2 * day);
    expect((await marketplace.sweepFiles(acme))._unsafeUnwrap()).toEqual(swept(2, 2));
    expect(await kept()).toEqual([file.id, younger].sort());
    expect(await kept()).not.toContain(exactly);
    expect([await kept(foreign), await kept(live)]).toEqual([[theirs], [inProduction]]);
    expect((await marketplace.sweepFiles(acme, leastAge))._unsafeUnwrap()).toEqual(swept(1, 1));
    expect((await marketplace.sweepFiles(acme, leastAge))._unsafeUnwrap()).toEqual(swept(1, 0));
  });

  it.each(['trashed', 'missing'])('counts a content that the store says is %s', async (said) => {
    const { timer, ports, ids, orphan } = createWorld();
    await orphan(start, 1);
    timer.advance(2 * day);
    const trash = { ...ports.files.trash, put: () => ok(said as 'trashed') };
    const files = { ...ports.files, trash };
    const answer = await createMarketplace({ ...ports, ids, files }).sweepFiles(acme);
    expect(answer._unsafeUnwrap()).toEqual(swept(0, 1));
  });

  it.each(['gone', '', undefined, 1])('ends if the store answers %j', async (said) => {
    const { timer, ports, ids, orphan } = createWorld();
    await orphan(start, 1);
    timer.advance(2 * day);
    const trash = { ...ports.files.trash, put: () => ok(said as 'trashed') };
    const files = { ...ports.files, trash };
    const answer = await createMarketplace({ ...ports, ids, files }).sweepFiles(acme);
    expect(answer._unsafeUnwrapErr()).toMatchObject({
      port: 'files.trash',
      outcome: 'unknown',
      retryable: false,
    });
  });

  it('ends between two contents once its signal is aborted, and says what it has done', async () => {
    const { timer, ports, ids, orphan, kept } = createWorld();
    for (let at = 0; at < 5; at += 1) await orphan(start, at);
    timer.advance(2 * day);
    const control = new AbortController();
    let moved = 0;
    const { put } = ports.files.trash;
    const trash: typeof ports.files.trash = {
      ...ports.files.trash,
      put(...given) {
        moved += 1;
        if (moved === 2) control.abort();
        return put(...given);
      },
    };
    const marketplace = createMarketplace({ ...ports, ids, files: { ...ports.files, trash } });
    const swept = await marketplace.sweepFiles(acme, day, control.signal);
    expect(swept._unsafeUnwrap()).toMatchObject({ trashed: 2, deleted: 0 });
    expect(await kept()).toHaveLength(3);
    timer.advance(31 * day);
    const emptied = await marketplace.sweepFiles(acme, day, control.signal);
    expect(emptied._unsafeUnwrap()).toMatchObject({ trashed: 0, deleted: 0 });
  });

  it('goes through any number of contents', async () => {
    const { timer, marketplace, orphan, kept } = createWorld();
    for (let at = 0; at < 250; at += 1) await orphan(start, at);
    timer.advance(2 * day);
    expect((await marketplace.sweepFiles(acme))._unsafeUnwrap()).toEqual(swept(0, 250));
    expect(await kept()).toEqual([]);
  });

  it('asks for a listing as often as the store has pages, and for records a hundred at a time', async () => {
    const { timer, ports, ids, orphan, kept } = createWorld();
    for (let at = 0; at < 250; at += 1) await orphan(start, at);
    let pages = 0;
    const asked: number[] = [];
    const sweep = async (pageSize: number) => {
      const files: typeof ports.files = {
        ...ports.files,
        list: async (tenant, after) => {
          pages += 1;
          return (await ports.files.list(tenant, after)).map((all) => all.slice(0, pageSize));
        },
      };
      const workFiles: typeof ports.store.workFiles = {
        recorded: (tenant, some) => {
          asked.push(some.length);
          return ports.store.workFiles.recorded(tenant, some);
        },
      };
      const store = { ...ports.store, workFiles };
      return (
        await createMarketplace({ ...ports, ids, files, store }).sweepFiles(acme)
      )._unsafeUnwrap();
    };
    expect(await sweep(250)).toEqual(swept(250, 0));
    expect([pages, asked.splice(0)]).toEqual([2, [100, 100, 50]]);
    timer.advance(2 * day);
    expect(await sweep(120)).toEqual(swept(0, 250));
    expect([pages - 2, asked]).toEqual([4, [100, 20, 100, 20, 10]]);
    expect(await kept()).toEqual([]);
  });

  it('does not go round for ever if a store lists ids again', async () => {
    const { ports, timer, ids } = createWorld();
    const list = () => ok(['01KDVE0000000000000000000A']);
    const marketplace = createMarketplace({ ...ports, ids, files: { ...ports.files, list } });
    timer.advance(day);
    expect((await marketplace.sweepFiles(acme))._unsafeUnwrapErr()).toMatchObject({
      code: 'unavailable',
      port: 'files.list',
      retryable: false,
    });
  });

  /** An upload whose content takes this long, and a sweep by another process as it is recorded. */
  async function sweepDuring(took: number) {
    const { timer, ports, ids, kept } = createWorld();
    const other = createMarketplace({ ...ports, ids });
    const store: typeof ports.store = {
      ...ports.store,
      async commit(...write) {
        await other.sweepFiles(acme, leastAge);
        return ports.store.commit(...write);
      },
    };
    const api = createMarketplace({ ...ports, ids, store }).partner(acme);
    await api.registerContractor(contractorBody);
    const { id } = (await api.createDeal(dealBody))._unsafeUnwrap();
    async function* slow() {
      yield Uint8Array.of(1);
      timer.advance(took);
      yield Uint8Array.of(2);
    }
    const uploaded = await api.uploadFile({ id }, { name: 'a', content: slow() });
    const deal = (await api.retrieveDeal(id))._unsafeUnwrap();
    const recorded = deal.stages.flatMap(({ work_files }) => work_files.map((file) => file.id));
    return { uploaded, recorded, kept: await kept() };
  }

  it('takes no content away that is about to be recorded, for an upload has an hour', async () => {
    for (const took of [0, hour]) {
      const { uploaded, recorded, kept } = await sweepDuring(took);
      expect(recorded).toEqual([uploaded._unsafeUnwrap().id]);
      expect(kept).toEqual(recorded);
    }
    for (const took of [hour + 1, leastAge, 2 * leastAge]) {
      const { uploaded, recorded, kept } = await sweepDuring(took);
      expect(uploaded._unsafeUnwrapErr()).toMatchObject({
        code: 'unavailable',
        port: 'timer.now',
        outcome: 'none',
        retryable: true,
        cause: new Error('the upload took more than an hour'),
      });
      expect([recorded, kept]).toEqual([[], []]);
    }
  });

  it('throws for what is not a tenant', () => {
    const { marketplace } = createWorld();
    expect(() => marketplace.sweepFiles({ environment: 'sandbox', partner: '' })).toThrow(
      TypeError,
    );
  });

  it.each([-1, 0, leastAge - 1, Number.NaN])('throws for %s, which is not an age', (age) => {
    const { marketplace } = createWorld();
    expect(() => marketplace.sweepFiles(acme, age)).toThrow(
      new TypeError('sweepFiles: minAge is 7200000 milliseconds or more'),
    );
  });

  it('leaves what has no id of ours', async () => {
    const { timer, ports, marketplace, kept } = createWorld();
    const foreign = ['lower-case', '80000000000000000000000000', 'readme.txt'];
    for (const id of foreign) await ports.files.put(acme, id, content());
    timer.advance(10 * day);
    const answer = (await marketplace.sweepFiles(acme))._unsafeUnwrap();
    expect(answer).toEqual(swept(foreign.length, 0));
    expect([...(await kept())].sort()).toEqual([...foreign].sort());
  });
});
