import type { PartnerApi, StageStatus } from 'dealwright';
import { createManualClock } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { dealBody } from '../domain/field-tables.js';
import { dealOf, eventsOf, settle } from '../kit/stored.js';
import { acme } from './marketplace-with.js';
import { bytes, keyed, upload, withDeal } from './with-deal.js';

/** Runs a test on a deal whose one stage has this status. */
async function withStage(
  status: StageStatus,
  test: (
    uploaded: () => ReturnType<PartnerApi<never>['uploadFile']>,
    kept: () => Promise<readonly string[]>,
  ) => Promise<void>,
) {
  const { api, store, id, stage_ids, kept } = await withDeal();
  const key = stage_ids[0] as number;
  const committed = await settle(
    store.commit(acme, {
      attempt: '01KDVE0000000000000000000A',
      expect: [{ present: 'stage', key }],
      insert: [],
      change: [{ kind: 'stage', key, set: { status } }],
      events: [],
    }),
  );
  expect(committed).toEqual({ outcome: 'committed' });
  await test(() => api.uploadFile({ id }, upload), kept);
}

describe('recording a file', () => {
  it('takes 500 files of a side for a stage and not one more, but for a repeat of one of them', async () => {
    const { api, id, kept } = await withDeal();
    const first = (await api.uploadFile({ id }, upload, keyed))._unsafeUnwrap();
    for (let count = 1; count < 500; count += 1) {
      (await api.uploadFile({ id }, upload))._unsafeUnwrap();
    }
    expect((await api.uploadFile({ id }, upload, keyed))._unsafeUnwrap()).toEqual(first);
    for (const options of [undefined, { idempotencyKey: 'another' }]) {
      expect((await api.uploadFile({ id }, upload, options))._unsafeUnwrapErr()).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: ['content'], code: 'too_many_files', params: { max: 500 } }],
      });
    }
    const deal = (await api.retrieveDeal(id))._unsafeUnwrap();
    expect(deal.stages.flatMap(({ work_files }) => work_files)).toHaveLength(500);
    expect(await kept()).toHaveLength(500);
  });

  it('appends its event, and says nothing of the content in it', async () => {
    const { api, store, id, stage_ids } = await withDeal();
    const file = (await api.uploadFile({ id }, upload))._unsafeUnwrap();
    const events = await eventsOf(store, acme);
    const { id: work_file_id, uploaded_at, status: _, by, ...facts } = file;
    expect(by).toBe('partner');
    expect(events.at(-1)).toEqual({
      id: work_file_id,
      type: 'work_file.stored',
      ...acme,
      subject: `deal:${dealBody.partner_id}`,
      sequence: 2,
      at: uploaded_at,
      actor: 'partner',
      cause: null,
      data: { partner_id: dealBody.partner_id, work_file_id, ...facts },
    });
    expect(facts.stage_id).toBe(stage_ids[0]);
  });

  it('takes 200 at once to one deal', async () => {
    const { api, store, id, kept } = await withDeal();
    const uploads = Array.from({ length: 200 }, () => api.uploadFile({ id }, upload));
    const files = (await Promise.all(uploads)).map((result) => result._unsafeUnwrap().id);
    const deal = (await api.retrieveDeal(id))._unsafeUnwrap();
    expect(deal.stages[0]?.work_files.map((file) => file.id)).toEqual([...files].sort());
    expect(await kept()).toHaveLength(200);
    const stored = await dealOf(store, acme, dealBody.partner_id);
    expect(stored?.deal.version).toBe(201);
  });

  it('lets no stalled content hold another upload up', async () => {
    const { api, id } = await withDeal();
    const waiting: (() => void)[] = [];
    async function* slow() {
      await new Promise<void>((resolve) => waiting.push(resolve));
      yield bytes;
    }
    const all = [...Array(40).keys()].map(() =>
      api.uploadFile({ id }, { ...upload, content: slow() }),
    );
    expect((await api.uploadFile({ id }, upload)).isOk()).toBe(true);
    while (waiting.length < 40) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const go of waiting) go();
    for (const uploaded of all) expect((await uploaded).isOk()).toBe(true);
  });

  it.each(['pending', 'changes_requested'] as const)('takes one while its stage is %s', (status) =>
    withStage(status, async (uploaded) => expect((await uploaded()).isOk()).toBe(true)),
  );

  it.each(['submitted', 'approved', 'paid', 'cancelled'] as const)(
    'refuses one while its stage is %s, and takes its content back',
    (status) =>
      withStage(status, async (uploaded, kept) => {
        expect((await uploaded())._unsafeUnwrapErr()).toMatchObject({
          code: 'precondition_failed',
          reason: 'stage_closed',
        });
        expect(await kept()).toEqual([]);
      }),
  );

  it('takes its content back if the key is used for something else', async () => {
    const { api, id, kept } = await withDeal();
    const first = (await api.uploadFile({ id }, upload, keyed))._unsafeUnwrap();
    const other = { ...upload, name: 'other.txt' };
    const error = (await api.uploadFile({ id }, other, keyed))._unsafeUnwrapErr();
    expect(error.code).toBe('idempotency_key_reused');
    expect(await kept()).toEqual([first.id]);
  });

  it('records nothing if the clock fails by then, and takes its content back', async () => {
    const timer = createManualClock();
    const now = () => {
      if (isStored) throw new Error('no time');
      return timer.now();
    };
    let isStored = false;
    const { api, id, kept } = await withDeal({ timer: { ...timer, now } });
    async function* content() {
      yield bytes;
      isStored = true;
    }
    const error = (
      await api.uploadFile({ id }, { ...upload, content: content() })
    )._unsafeUnwrapErr();
    expect(error).toMatchObject({ code: 'unavailable', port: 'timer.now', outcome: 'none' });
    expect(await kept()).toEqual([]);
  });

  it('takes the second content back if the first answer is repeated', async () => {
    const { api, id, kept } = await withDeal();
    const first = (await api.uploadFile({ id }, upload, keyed))._unsafeUnwrap();
    expect((await api.uploadFile({ id }, upload, keyed))._unsafeUnwrap()).toEqual(first);
    expect(await kept()).toEqual([first.id]);
  });
});
