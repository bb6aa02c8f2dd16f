import type { FileUpload } from '../../src/api/inputs.js';
import { check, equal, errOf, okOf } from '../expectations.js';
import {
  createDocumentedDeal,
  type DefineCase,
  deal,
  file,
  invalid,
  missing,
  plain,
} from './subject.js';
import { filesOf } from './uploads.js';

const key = { idempotencyKey: 'the-key' };
/** In base64, so that over a wire every member is sent as it is. */
const small: FileUpload = { name: 'draft.txt', content_type: 'text/plain', content: 'YWJj' };

/** A change of a valid upload, and its issue. */
type Refused = readonly [change: object, field: string, code: string];

const refused: readonly Refused[] = [
  [{ name: '' }, 'name', 'too_short'],
  [{ name: 'x'.repeat(256) }, 'name', 'too_long'],
  [{ name: '😀'.repeat(256) }, 'name', 'too_long'],
  [{ name: 'nul\0' }, 'name', 'forbidden_character'],
  [{ name: null }, 'name', 'null_not_allowed'],
  [{ name: undefined }, 'name', 'required'],
  ...[7, {}, ['name'], true].map((name): Refused => [{ name }, 'name', 'wrong_type']),
  [{ content_type: '' }, 'content_type', 'too_short'],
  [{ content_type: `a/${'b'.repeat(254)}` }, 'content_type', 'too_long'],
  [{ content_type: null }, 'content_type', 'null_not_allowed'],
  [{ content_type: 7 }, 'content_type', 'wrong_type'],
  ...[
    'text',
    '/',
    'text/',
    '/plain',
    'text/plain;',
    'a/b/c',
    'text /plain',
    'text/plain\r\nx: y',
  ].map((content_type): Refused => [{ content_type }, 'content_type', 'invalid_media_type']),
  [{ stage_id: null }, 'stage_id', 'null_not_allowed'],
  [{ stage_id: 1.5 }, 'stage_id', 'not_an_integer'],
  ...['1', {}, true].map((stage_id): Refused => [{ stage_id }, 'stage_id', 'wrong_type']),
  ...[0, -1].map((stage_id): Refused => [{ stage_id }, 'stage_id', 'unknown_stage']),
  [{ content: null }, 'content', 'null_not_allowed'],
  [{ content: undefined }, 'content', 'required'],
  ...[7, true, {}, [97, 98, 99]].map((content): Refused => [{ content }, 'content', 'wrong_type']),
  ...['Y', 'YWJ', 'YWJj=', 'YWJjZA', 'YW Jj', 'YWJ-', 'YWJ_', 'YWJ\n', '====', 'żżżż'].map(
    (content): Refused => [{ content }, 'content', 'invalid_base64'],
  ),
];

/** Decision 4: which uploads are refused, and which get their first answer. */
export function uploadRefusals(define: DefineCase): void {
  define('refuses each member that breaks its rule, and keeps nothing', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    for (const [change, field, code] of refused) {
      const upload = withChange(change);
      const error = errOf(await api.uploadFile({ id }, upload), JSON.stringify(change));
      invalid(error, [{ path: [field], code }]);
    }
    equal(await filesOf(api, id), [], 'the deal has no file');
  });

  define('names everything that is wrong at once, in both languages', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    const upload = withChange({ stage_id: 'x', name: '', content_type: 'text', content: '?' });
    const issues = [
      { path: ['stage_id'], code: 'wrong_type' },
      { path: ['name'], code: 'too_short' },
      { path: ['content_type'], code: 'invalid_media_type' },
      { path: ['content'], code: 'invalid_base64' },
    ];
    for (const language of ['en', 'pl'] as const) {
      invalid(errOf(await api.uploadFile({ id }, upload, { language }), 'it'), issues, language);
    }
    const nothing = errOf(await api.uploadFile({ id }, {} as FileUpload), 'nothing');
    const required = ['name', 'content'].map((field) => ({ path: [field], code: 'required' }));
    invalid(nothing, required);
    for (const [none, code] of [
      [null, 'null_not_allowed'],
      ['text', 'wrong_type'],
      [7, 'wrong_type'],
      [[small], 'wrong_type'],
    ] as const) {
      const error = errOf(await api.uploadFile({ id }, none as never), JSON.stringify(none));
      invalid(error, [{ path: [], code }]);
    }
  });

  define('refuses a stage that is not of the deal', async ({ api, other }) => {
    const { id, stage_ids } = await createDocumentedDeal(api);
    const second = okOf(await api.createDeal({ ...deal, partner_id: 'second' }), 'a deal');
    const foreign = okOf(await other.createDeal(deal), "another's deal");
    const strange = [...second.stage_ids, ...foreign.stage_ids, Number.MAX_SAFE_INTEGER];
    for (const stage_id of strange) {
      for (const content of ['YWJj', file.content]) {
        const error = errOf(
          await api.uploadFile({ id }, { ...file, stage_id, content }),
          'a stage',
        );
        invalid(error, [{ path: ['stage_id'], code: 'unknown_stage' }]);
      }
    }
    equal(await filesOf(api, id), [], 'no file here');
    equal(await filesOf(api, second.id), [], 'no file there');
    okOf(await api.uploadFile({ id }, { ...file, stage_id: stage_ids[0] ?? 0 }), 'its own stage');
  });

  define('repeats the first answer to an upload, and keeps one file', async ({ api }) => {
    const { id, stage_ids } = await createDocumentedDeal(api);
    const first = okOf(await api.uploadFile({ id }, file, key), 'the first');
    const stage_id = stage_ids[0] ?? 0;
    for (const upload of [file, { ...file, content: 'YWJj' }, { ...file, stage_id }]) {
      equal(okOf(await api.uploadFile({ id }, upload, key), 'a repeat'), first, 'the answer');
    }
    equal(await filesOf(api, id), [first], 'the files');
    const others: readonly object[] = [
      { name: 'other.txt' },
      { content: 'YWJk' },
      { content: '' },
      { content_type: 'text/html' },
    ];
    for (const change of others) {
      const reused = await api.uploadFile(
        { id },
        { ...file, ...change },
        { ...key, language: 'pl' },
      );
      plain(errOf(reused, JSON.stringify(change)), 'idempotency_key_reused', 'pl');
    }
    const second = okOf(await api.createDeal({ ...deal, partner_id: 'second' }), 'a deal');
    const elsewhere = await api.uploadFile({ id: second.id }, file, key);
    plain(errOf(elsewhere, 'another deal'), 'idempotency_key_reused');
    okOf(await api.uploadFile({ id }, file), 'the same without a key');
    const otherKey = { idempotencyKey: 'another-key' };
    const fourth = okOf(await api.uploadFile({ id }, file, otherKey), 'the same with another key');
    check(fourth.id !== first.id, 'it is another file');
    equal((await filesOf(api, id)).length, 3, 'the number of files');
    equal(await filesOf(api, second.id), [], 'no file of the other deal');
  });

  define('keeps keys of files apart from keys of deals, and of tenants', async (views) => {
    const { api, other } = views;
    const { id } = await createDocumentedDeal(api);
    const second = { ...deal, partner_id: 'second' };
    okOf(await api.createDeal(second, key), 'a deal with the key');
    const own = okOf(await api.uploadFile({ id }, file, key), 'a file with the key');
    const theirs = okOf(await other.createDeal(deal), "another's deal");
    const foreign = okOf(
      await other.uploadFile({ id: theirs.id }, file, key),
      'a file with the key',
    );
    check(own.id !== foreign.id, 'each has its own');
    equal(okOf(await api.uploadFile({ id }, file, key), 'a repeat').id, own.id, 'its own answer');
  });

  define('judges key, then deal, then the members of the file', async ({ api }) => {
    const { id } = await createDocumentedDeal(api);
    const nothing = {} as FileUpload;
    const malformed = { idempotencyKey: 'a key' };
    const refusal = errOf(
      await api.uploadFile({ id: id + 1 }, nothing, malformed),
      'a malformed key',
    );
    plain(refusal, 'invalid_idempotency_key');
    missing(errOf(await api.uploadFile({ id: id + 1 }, nothing, key), 'no deal'), 'deal');
    const first = okOf(await api.uploadFile({ id }, file, key), 'the first');
    const invalidNow = errOf(await api.uploadFile({ id }, { ...file, name: '' }, key), 'no name');
    invalid(invalidNow, [{ path: ['name'], code: 'too_short' }]);
    equal(await filesOf(api, id), [first], 'one file');
  });
}

function withChange(change: object): FileUpload {
  const changed: Record<string, unknown> = { ...small, ...change };
  for (const name of Object.keys(changed)) if (changed[name] === undefined) delete changed[name];
  return changed as object as FileUpload;
}
