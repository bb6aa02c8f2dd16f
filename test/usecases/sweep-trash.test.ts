import { createMarketplace, type LocalMarketplace } from 'dealwright';
import { type MarketplacePorts, unavailable } from 'dealwright/ports';
import { answers, type MethodPath, withFault } from 'dealwright/testing';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { createUnclaimedWorld, createWorld, day, start, swept } from './files-world.js';
import { acme } from './marketplace-with.js';

const another = '01KDVE0000000000000000000A';
const cause = new Error('the connection is gone');
const down = answers(unavailable({ outcome: 'none', cause }));

/** The reason of a refused sweep; no retry helps. */
async function refusalOf(marketplace: Pick<LocalMarketplace, 'sweepFiles'>): Promise<string> {
  const error = (await marketplace.sweepFiles(acme))._unsafeUnwrapErr();
  expect(error).toMatchObject({ port: 'files', outcome: 'none', retryable: false });
  return String(error.cause);
}

describe('a sweep with a trash', () => {
  it('brings back what a store names again, as it was', async () => {
    const { timer, ports, marketplace, upload, kept, trashed } = createWorld();
    const id = await upload();
    timer.advance(2 * day);
    // an older copy of the store does not know the file
    const older = withFault<MarketplacePorts>(ports, 'store.workFiles.recorded', answers(ok([])));
    const moved = await createMarketplace(older).sweepFiles(acme);
    expect(moved._unsafeUnwrap()).toEqual(swept(0, 1));
    expect([await kept(), await trashed()]).toEqual([[], [{ id, since: timer.now() }]]);
    timer.advance(31 * day);
    // restored contents are checked with the others
    const answer = { ...swept(1, 0), restored: 1 };
    expect((await marketplace.sweepFiles(acme))._unsafeUnwrap()).toEqual(answer);
    expect([await kept(), await trashed()]).toEqual([[id], []]);
    const found = await marketplace.partner(acme).downloadWorkFile('unique-ID-of-deal', id);
    const pieces = [];
    for await (const piece of found._unsafeUnwrap().content) pieces.push(...piece);
    expect(pieces).toEqual([1]);
  });

  it('deletes for good what was there for 30 days, and nothing before', async () => {
    const { timer, marketplace, orphan, kept, trashed } = createWorld();
    await orphan(start, 1);
    timer.advance(2 * day);
    expect((await marketplace.sweepFiles(acme))._unsafeUnwrap()).toEqual(swept(0, 1));
    timer.advance(30 * day - 1);
    expect((await marketplace.sweepFiles(acme))._unsafeUnwrap()).toEqual(swept(0, 0));
    expect(await trashed()).toHaveLength(1);
    timer.advance(1);
    const answer = { ...swept(0, 0), deleted: 1 };
    expect((await marketplace.sweepFiles(acme))._unsafeUnwrap()).toEqual(answer);
    expect([await kept(), await trashed()]).toEqual([[], []]);
  });
});

describe('a sweep whose ports fail', () => {
  /** A world with work for each part of a sweep. */
  async function busyWorld() {
    const world = createWorld();
    const { timer, ports, orphan, upload } = world;
    const named = await upload();
    const old = await orphan(start, 900);
    await ports.files.trash.put(acme, old, start - 40 * day);
    await ports.files.trash.put(acme, named, start);
    const loose = await orphan(start, 901);
    timer.advance(2 * day);
    return { ...world, named, old, loose };
  }

  it.each<[MethodPath<MarketplacePorts>, string]>([
    ['store.identity', 'store.identity'],
    ['files.owner.read', 'files.owner'],
    ['files.trash.list', 'files.trash'],
    ['store.workFiles.recorded', 'store.workFiles.recorded'],
    ['files.trash.restore', 'files.trash'],
    ['files.trash.delete', 'files.trash'],
    ['files.list', 'files.list'],
    ['files.trash.put', 'files.trash'],
  ])('says that %s has failed, loses nothing, and ends its work later', async (path, port) => {
    const { ports, marketplace, kept, trashed, named, old, loose } = await busyWorld();
    const broken = createMarketplace(withFault<MarketplacePorts>(ports, path, down));
    const failed = { code: 'unavailable', port, outcome: 'none', retryable: true, cause };
    expect((await broken.sweepFiles(acme))._unsafeUnwrapErr()).toMatchObject(failed);
    const there = [...(await kept()), ...(await trashed()).map(({ id }) => id)];
    expect(there).toEqual(expect.arrayContaining([named, loose]));
    (await marketplace.sweepFiles(acme))._unsafeUnwrap();
    expect(await kept()).toEqual([named]);
    expect((await trashed()).map(({ id }) => id)).toEqual([loose]);
    expect(await trashed()).not.toContainEqual(expect.objectContaining({ id: old }));
  });

  it('moves nothing if the records cannot be read after the trash was', async () => {
    const { ports, kept, trashed, named, loose } = await busyWorld();
    let asked = 0;
    const broken = withFault<MarketplacePorts>(ports, 'store.workFiles.recorded', (call) => {
      asked += 1;
      return asked === 1 ? call() : unavailable({ outcome: 'none', cause });
    });
    const answer = await createMarketplace(broken).sweepFiles(acme);
    const failed = { port: 'store.workFiles.recorded', retryable: true, cause };
    expect(answer._unsafeUnwrapErr()).toMatchObject(failed);
    expect(await kept()).toEqual([loose, named].sort());
    expect(await trashed()).toEqual([]);
  });

  it('moves nothing if the time is not known', async () => {
    const { ports, kept, trashed, named, old, loose } = await busyWorld();
    let isBroken = false;
    const now = () => {
      if (isBroken) throw cause;
      return ports.timer.now();
    };
    const marketplace = createMarketplace({ ...ports, timer: { ...ports.timer, now } });
    isBroken = true;
    const answer = await marketplace.sweepFiles(acme);
    expect(answer._unsafeUnwrapErr()).toMatchObject({ port: 'timer.now', outcome: 'none', cause });
    expect(await kept()).toEqual([loose]);
    expect((await trashed()).map(({ id }) => id)).toEqual([named, old].sort());
  });
});

describe('a sweep of contents that may have another owner', () => {
  it.each([false, true])('is refused over those of another store; for good: %s', async (ever) => {
    const { timer, ports, own, orphan, kept, trashed } = createUnclaimedWorld();
    await ports.files.owner.claim(another);
    const id = await orphan(start, 1);
    timer.advance(2 * day);
    const marketplace = createMarketplace(ports, { sweepForGood: ever });
    expect(await refusalOf(marketplace)).toBe(
      `Error: nothing is swept: the contents belong to the store ${another}, and this is the store ${await own()}`,
    );
    expect([await kept(), await trashed()]).toEqual([[id], []]);
  });

  it.each([false, true])('is refused over those without an owner; for good: %s', async (ever) => {
    const { timer, ports, own, orphan, kept, trashed } = createUnclaimedWorld();
    const id = await orphan(start, 1);
    timer.advance(2 * day);
    const marketplace = createMarketplace(ports, { sweepForGood: ever });
    expect(await refusalOf(marketplace)).toBe(
      `Error: nothing is swept: whose the contents are is not known, and the store ${await own()} names none of them`,
    );
    expect([await kept(), await trashed()]).toEqual([[id], []]);
  });
});

describe('a sweep for good', () => {
  /** Ports without something that protects contents, by its name. */
  const lacking = {
    identity: ({ store: { identity: _, ...store }, ...ports }: Ports) => ({ ...ports, store }),
    owner: ({ files: { owner: _, ...files }, ...ports }: Ports) => ({ ...ports, files }),
    trash: ({ files: { trash: _, ...files }, ...ports }: Ports) => ({ ...ports, files }),
  };
  type Ports = ReturnType<typeof createWorld>['ports'];
  const notKept =
    'whose the contents are is not kept (Store.identity, FileStore.owner): sweepForGood allows it';

  it.each([
    ['identity', notKept, 1],
    ['owner', notKept, 1],
    [
      'trash',
      'the file store has no trash (FileStore.trash): sweepForGood deletes contents without it',
      0,
    ],
  ] as const)('is what a host without %s has to ask for', async (lacks, refusal, moved) => {
    const { timer, ports, upload, orphan, kept, trashed } = createWorld();
    const named = await upload();
    const loose = await orphan(start, 900);
    timer.advance(2 * day);
    const poor = lacking[lacks](ports);
    expect(await refusalOf(createMarketplace(poor))).toBe(`Error: nothing is swept: ${refusal}`);
    expect(await kept()).toEqual([named, loose].sort());
    const answer = await createMarketplace(poor, { sweepForGood: true }).sweepFiles(acme);
    expect(answer._unsafeUnwrap()).toEqual({ ...swept(1, moved), deleted: 1 - moved });
    expect(await kept()).toEqual([named]);
    expect(await trashed()).toHaveLength(moved);
  });

  it('says that a content cannot be deleted, and deletes it later', async () => {
    const { timer, ports, orphan, kept } = createWorld();
    const loose = await orphan(start, 1);
    timer.advance(2 * day);
    const poor = lacking.trash(ports);
    const sweepOver = (over: MarketplacePorts) =>
      createMarketplace(over, { sweepForGood: true }).sweepFiles(acme);
    const answer = await sweepOver(withFault<MarketplacePorts>(poor, 'files.delete', down));
    const failed = { port: 'files.delete', outcome: 'none', retryable: true, cause };
    expect(answer._unsafeUnwrapErr()).toMatchObject(failed);
    expect(await kept()).toEqual([loose]);
    expect((await sweepOver(poor))._unsafeUnwrap()).toEqual({ ...swept(0, 0), deleted: 1 });
    expect(await kept()).toEqual([]);
  });
});
