import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { acme, createWorldOf, type Faces, file, inProcess, overHttp } from './world.js';

interface Kept {
  readonly count: number;
  readonly by: 'partner' | 'freelancer' | null;
  readonly status?: 'stored' | 'superseded';
}

/** A deal of version 2.0, and a function that stores files for its stage. */
async function withFilesOf(faces: Faces) {
  const { api, details, offer, ports } = createWorldOf(faces)();
  const { partner_id, freelancer } = await offer();
  (await freelancer.accept())._unsafeUnwrap();
  const [stage] = (await details()).stages;
  const keep = async ({ count, by, status = 'stored' }: Kept) => {
    const size = 500;
    for (let first = 0; first < count; first += size) {
      const rows = Array.from({ length: Math.min(size, count - first) }, () => ({
        ...{ id: ulid(), partner_id, stage_id: stage?.id ?? 0, name: 'draft.txt', size: 1 },
        ...{ sha256: '0'.repeat(64), content_type: 'text/plain', status, uploaded_by: by },
        uploaded_at: '2026-01-01T00:00:00.000Z',
      }));
      const committed = await ports.store.commit(acme, {
        attempt: ulid(),
        expect: [
          { absent: 'work_file', key: rows[0]?.id ?? '' },
          { present: 'deal', key: partner_id },
        ],
        insert: rows.map((row) => ({ kind: 'work_file', row })),
        change: [],
        events: [],
      });
      expect(committed._unsafeUnwrap()).toEqual({ outcome: 'committed' });
    }
  };
  return {
    keep,
    upload: {
      partner: () => api.uploadFile({ partner_id }, file),
      freelancer: () => freelancer.uploadFile(file),
    },
  };
}

const tooMany = (max: number) => ({
  code: 'validation_failed',
  errors: [{ path: ['content'], code: 'too_many_files', params: { max } }],
});

describe.each([
  ['in process', inProcess],
  ['over HTTP', overHttp],
] as const)('work files %s', (_, faces) => {
  const withFiles = () => withFilesOf(faces);

  it.each([
    ['partner', 'freelancer'],
    ['freelancer', 'partner'],
  ] as const)('of the %s leave the other side its own 500 of a stage', async (by, other) => {
    const { keep, upload } = await withFiles();
    await keep({ count: 499, by });
    (await upload[by]())._unsafeUnwrap();
    expect((await upload[by]())._unsafeUnwrapErr()).toMatchObject(tooMany(500));
    (await upload[other]())._unsafeUnwrap();
    await keep({ count: 498, by: other });
    (await upload[other]())._unsafeUnwrap();
    expect((await upload[other]())._unsafeUnwrapErr()).toMatchObject(tooMany(500));
  });

  it('from before it was kept whose they are count for both sides', async () => {
    const { keep, upload } = await withFiles();
    await keep({ count: 499, by: null });
    (await upload.partner())._unsafeUnwrap();
    expect((await upload.partner())._unsafeUnwrapErr()).toMatchObject(tooMany(500));
    (await upload.freelancer())._unsafeUnwrap();
    expect((await upload.freelancer())._unsafeUnwrapErr()).toMatchObject(tooMany(500));
  });

  it('that are superseded do not count for the stage', async () => {
    const { keep, upload } = await withFiles();
    await keep({ count: 600, by: 'freelancer', status: 'superseded' });
    await keep({ count: 499, by: 'freelancer' });
    (await upload.freelancer())._unsafeUnwrap();
    expect((await upload.freelancer())._unsafeUnwrapErr()).toMatchObject(tooMany(500));
  });

  it('are 5,000 of a deal at most, superseded ones among them', async () => {
    const { keep, upload } = await withFiles();
    await keep({ count: 2_500, by: 'freelancer', status: 'superseded' });
    await keep({ count: 2_499, by: 'partner', status: 'superseded' });
    (await upload.freelancer())._unsafeUnwrap();
    for (const side of [upload.partner, upload.freelancer]) {
      expect((await side())._unsafeUnwrapErr()).toMatchObject(tooMany(5_000));
    }
  });
});
