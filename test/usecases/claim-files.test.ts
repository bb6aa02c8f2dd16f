import { createMarketplace } from 'dealwright';
import { type MarketplacePorts, unavailable } from 'dealwright/ports';
import { answers, type MethodPath, withFault } from 'dealwright/testing';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { dealV2 } from '../kit/requests.js';
import { createDeal } from '../relay/kit.js';
import { createUnclaimedWorld, start } from './files-world.js';
import { acme } from './marketplace-with.js';

const another = '01KDVE0000000000000000000A';
const cause = new Error('the connection is gone');

/** The result of a claim over ports, some of them the test's own. */
const claimOver = async (ports: MarketplacePorts) => createMarketplace(ports).claimFiles();

describe('a claim of contents', () => {
  it('gives an empty file store to this store', async () => {
    const { marketplace, own, owner } = createUnclaimedWorld();
    const ours = { owner: 'this_store', own: await own() };
    expect(await owner()).toBe('empty');
    expect((await marketplace.claimFiles())._unsafeUnwrap()).toEqual(ours);
    expect(await owner()).toEqual({ store: await own() });
    expect((await marketplace.claimFiles())._unsafeUnwrap()).toEqual(ours);
  });

  it('leaves those of another store to it', async () => {
    const { marketplace, ports, own, owner } = createUnclaimedWorld();
    await ports.files.owner.claim(another);
    const theirs = { owner: 'another_store', own: await own(), store: another };
    expect((await marketplace.claimFiles())._unsafeUnwrap()).toEqual(theirs);
    expect(await owner()).toEqual({ store: another });
  });

  it('leaves them to another store that was quicker', async () => {
    const { ports, own, owner } = createUnclaimedWorld();
    const read = async () => {
      const found = await ports.files.owner.read();
      await ports.files.owner.claim(another);
      return found;
    };
    const files = { ...ports.files, owner: { ...ports.files.owner, read } };
    const theirs = { owner: 'another_store', own: await own(), store: another };
    expect((await claimOver({ ...ports, files }))._unsafeUnwrap()).toEqual(theirs);
    expect(await owner()).toEqual({ store: another });
  });

  it('is not kept if the file store keeps no owner', async () => {
    const { ports, owner } = createUnclaimedWorld();
    const { owner: _, ...files } = ports.files;
    expect((await claimOver({ ...ports, files }))._unsafeUnwrap()).toEqual({ owner: 'not_kept' });
    expect(await owner()).toBe('empty');
  });

  it('is not kept if the store has no id', async () => {
    const { ports, owner } = createUnclaimedWorld();
    const { identity: _, ...store } = ports.store;
    expect((await claimOver({ ...ports, store }))._unsafeUnwrap()).toEqual({ owner: 'not_kept' });
    expect(await owner()).toBe('empty');
  });
});

describe('a claim of existing contents without an owner', () => {
  it('is refused if there is no work file at all', async () => {
    const { marketplace, own, owner, orphan } = createUnclaimedWorld();
    await orphan(start, 1);
    const unknown = { owner: 'unknown', own: await own() };
    expect((await marketplace.claimFiles())._unsafeUnwrap()).toEqual(unknown);
    expect(await owner()).toBe('unknown');
  });

  it('is refused if the work files name none of them', async () => {
    const { marketplace, ports, own, owner, orphan, upload } = createUnclaimedWorld();
    await ports.files.delete(acme, await upload());
    await orphan(start, 900);
    const unknown = { owner: 'unknown', own: await own() };
    expect((await marketplace.claimFiles())._unsafeUnwrap()).toEqual(unknown);
    expect(await owner()).toBe('unknown');
  });

  it('is made if a work file names one among any number of others', async () => {
    const { marketplace, own, owner, orphan, upload } = createUnclaimedWorld();
    // a store looks up a hundred at a time
    for (let at = 0; at < 250; at += 1) await orphan(start - 1, at);
    await upload();
    expect(await owner()).toBe('unknown');
    const ours = { owner: 'this_store', own: await own() };
    expect((await marketplace.claimFiles())._unsafeUnwrap()).toEqual(ours);
    expect(await owner()).toEqual({ store: await own() });
  });

  it('is made if the file is of the last of very many partners', async () => {
    const { marketplace, ports, own, orphan, upload } = createUnclaimedWorld();
    const partner = (at: number) => `partner-${String(at).padStart(3, '0')}`;
    const tenant = (at: number) => ({ environment: 'sandbox' as const, partner: partner(at) });
    // a store returns a hundred at a time
    for (let at = 0; at < 120; at += 1) await createDeal(marketplace, 'a', tenant(at));
    expect((await ports.store.tenants(undefined, 1000))._unsafeUnwrap()).toHaveLength(120);
    await orphan(start, 1, tenant(0));
    await upload(tenant(120));
    const ours = { owner: 'this_store', own: await own() };
    expect((await marketplace.claimFiles())._unsafeUnwrap()).toEqual(ours);
  });

  it.each<[MethodPath<MarketplacePorts>, string, 'none' | 'unknown']>([
    ['store.identity', 'store.identity', 'none'],
    ['files.owner.read', 'files.owner', 'none'],
    ['store.tenants', 'store.tenants', 'none'],
    ['files.list', 'files.list', 'none'],
    ['store.workFiles.recorded', 'store.workFiles.recorded', 'none'],
    ['files.owner.claim', 'files.owner', 'unknown'],
  ])('says that %s has failed, claims nothing, and is made later', async (path, port, outcome) => {
    const { marketplace, ports, own, owner, upload } = createUnclaimedWorld();
    await upload();
    const down = answers(unavailable({ outcome: 'unknown', cause }));
    const broken = await claimOver(withFault<MarketplacePorts>(ports, path, down));
    const failed = { code: 'unavailable', port, outcome, retryable: true, cause };
    expect(broken._unsafeUnwrapErr()).toMatchObject(failed);
    expect(await owner()).toBe('unknown');
    expect((await marketplace.claimFiles())._unsafeUnwrap().owner).toBe('this_store');
    expect(await owner()).toEqual({ store: await own() });
  });

  it.each([
    ['what is no id', ok('acme')],
    ['nothing', ok(undefined)],
  ])('is unavailable for good if the file store answers %s as its owner', async (_, said) => {
    const { ports } = createUnclaimedWorld();
    for (const path of ['files.owner.read', 'files.owner.claim'] as const) {
      const broken = await claimOver(withFault<MarketplacePorts>(ports, path, answers(said)));
      const failed = { code: 'unavailable', port: 'files.owner', retryable: false };
      expect(broken._unsafeUnwrapErr()).toMatchObject(failed);
    }
  });
});

describe('an upload', () => {
  /** A marketplace with a deal, and how often the owner of the contents was read. */
  async function createAsked() {
    const world = createUnclaimedWorld();
    const asked = { reads: 0, isDown: false };
    const owner: typeof world.ports.files.owner = {
      ...world.ports.files.owner,
      async read() {
        asked.reads += 1;
        return asked.isDown
          ? unavailable({ outcome: 'unknown', cause })
          : world.ports.files.owner.read();
      },
    };
    const ports = { ...world.ports, files: { ...world.ports.files, owner } };
    const marketplace = createMarketplace(ports);
    const api = marketplace.partner(acme);
    await api.createDealV2(dealV2);
    const upload = (to = api) =>
      to.uploadFile({ partner_id: dealV2.partner_id }, { name: 'a', content: Uint8Array.of(1) });
    return { ...world, ports, asked, marketplace, upload };
  }
  const refusal = {
    code: 'unavailable',
    outcome: 'none',
    retryable: false,
    cause: new Error(
      `nothing is uploaded: the contents belong to the store ${another}, and this is the store`,
    ),
  };

  it('claims the contents, and asks once whose they are', async () => {
    const { asked, own, owner, upload } = await createAsked();
    for (const uploaded of await Promise.all([upload(), upload(), upload()])) {
      expect(uploaded.isOk()).toBe(true);
    }
    expect((await upload()).isOk()).toBe(true);
    expect(await owner()).toEqual({ store: await own() });
    expect(asked.reads).toBe(1);
  });

  it('is refused beside those of another store, before any of it is stored', async () => {
    const { asked, marketplace, ports, own, kept, upload } = await createAsked();
    await ports.files.owner.claim(another);
    refusal.cause.message += ` ${await own()}`;
    expect((await upload())._unsafeUnwrapErr()).toMatchObject(refusal);
    expect((await upload())._unsafeUnwrapErr()).toMatchObject(refusal);
    expect(await kept()).toEqual([]);
    expect(asked.reads).toBe(1);
    await ports.files.owner.replace(await own());
    // the owner of these contents must claim them, or the next sweep finds them
    (await marketplace.claimFiles())._unsafeUnwrap();
    expect((await upload()).isOk()).toBe(true);
  });

  it('is refused beside contents of an unknown owner', async () => {
    const { orphan, upload } = await createAsked();
    await orphan(start, 1);
    expect(String(Object((await upload())._unsafeUnwrapErr()).cause)).toContain(
      'nothing is uploaded: whose the contents are is not known',
    );
  });

  it('has stored nothing if the owner was unknown, and is made later', async () => {
    const { asked, kept, upload } = await createAsked();
    asked.isDown = true;
    const outcome = 'none';
    expect((await upload())._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', outcome });
    expect(await kept()).toEqual([]);
    asked.isDown = false;
    expect((await upload()).isOk()).toBe(true);
  });

  it('within a transaction asks nothing, and goes by what is known', async () => {
    const { asked, marketplace, ports, upload } = await createAsked();
    const within = () => marketplace.within(ports.store).partner(acme);
    expect((await upload(within())).isOk()).toBe(true);
    expect(asked.reads).toBe(0);
    await ports.files.owner.claim(another);
    await marketplace.claimFiles();
    expect((await upload(within())).isErr()).toBe(true);
    expect(asked.reads).toBe(1);
  });
});
