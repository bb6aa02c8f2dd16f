import type { FileUpload } from '../../src/api/inputs.js';
import type { PartnerApi } from '../../src/api/partner-api.js';
import { check, equal, errOf, okOf } from '../expectations.js';
import { makeDeal, namesIn, type OwnDeal, stageOf, versions } from './deals.js';
import { invalid, missing, plain } from './errors.js';
import { everyStranger, group, strangers } from './subject.js';

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
export const uploadRefusals = group(
  'work files that are refused',
  {
    must: {
      '4/file/refused-members':
        'A member of an upload that breaks its rule is refused, is named with its code, and nothing is kept.',
      '1.8/file/all-problems':
        'All that is wrong with an upload is named at once, in the language of the call.',
      '4/file/foreign-stage': 'A stage that is not of the deal is refused with `unknown_stage`.',
      '2.7/file/replay':
        'An upload that comes again with its key gets its first answer, and one file is kept.',
      '2.7/file/other-input':
        'The key of an upload is refused for other input, and for another deal.',
      '2.7/file/scope': 'Keys of uploads are apart from those of deals, and those of each tenant.',
      '2.7/file/order-of-judgement':
        'An upload is judged by its key, then by its deal, then by its members.',
    },
  },
  (define) => {
    for (const version of versions) {
      define(
        '4/file/refused-members',
        async (views) => {
          const { api, file } = views;
          const deal = await makeDeal(views, version);
          for (const [change, field, code] of refused) {
            const upload = withChange(file, change);
            const result = await api.uploadFile(deal.reference, upload);
            invalid(errOf(result, JSON.stringify(change)), [{ path: [field], code }]);
          }
          equal(await deal.files(), [], 'the deal has no file');
        },
        version,
      );

      define(
        '1.8/file/all-problems',
        async (views) => {
          const { api, file } = views;
          const { reference } = await makeDeal(views, version);
          const wrong = { stage_id: 'x', name: '', content_type: 'text', content: '?' };
          const upload = withChange(file, wrong);
          const issues = [
            { path: ['stage_id'], code: 'wrong_type' },
            { path: ['name'], code: 'too_short' },
            { path: ['content_type'], code: 'invalid_media_type' },
            { path: ['content'], code: 'invalid_base64' },
          ];
          for (const language of ['en', 'pl'] as const) {
            const result = await api.uploadFile(reference, upload, { language });
            invalid(errOf(result, 'it'), issues, language);
          }
          const nothing = errOf(await api.uploadFile(reference, {} as FileUpload), 'nothing');
          const required = ['name', 'content'].map((field) => ({
            path: [field],
            code: 'required',
          }));
          invalid(nothing, required);
          for (const [none, code] of [
            [null, 'null_not_allowed'],
            ['text', 'wrong_type'],
            [7, 'wrong_type'],
            [[withChange(file, {})], 'wrong_type'],
          ] as const) {
            const error = errOf(await api.uploadFile(reference, none as never), String(none));
            invalid(error, [{ path: [], code }]);
          }
        },
        version,
      );

      define(
        '4/file/foreign-stage',
        async (views) => {
          const { api, file, name } = views;
          const deal = await makeDeal(views, version);
          const second = await makeDeal(views, version, name('second'));
          for (const stage_id of [await stageOf(second), Number.MAX_SAFE_INTEGER]) {
            await refusesStage(api, deal, { ...file, stage_id });
          }
          equal(await deal.files(), [], 'no file here');
          equal(await second.files(), [], 'no file there');
          const own = { ...file, stage_id: await stageOf(deal) };
          okOf(await api.uploadFile(deal.reference, own), 'its own stage');
        },
        version,
      );

      define(
        '2.7/file/replay',
        async (views) => {
          const { api, file, key, name } = views;
          const deal = await makeDeal(views, version);
          const first = okOf(await api.uploadFile(deal.reference, file, key), 'the first');
          const { stage_id } = first;
          for (const upload of [file, { ...file, content: 'YWJj' }, { ...file, stage_id }]) {
            const repeat = await api.uploadFile(deal.reference, upload, key);
            equal(okOf(repeat, 'a repeat'), first, 'the answer');
          }
          equal(await deal.files(), [first], 'the files');
          okOf(await api.uploadFile(deal.reference, file), 'the same without a key');
          const otherKey = { idempotencyKey: name('another-key') };
          const another = await api.uploadFile(deal.reference, file, otherKey);
          check(okOf(another, 'with another key').id !== first.id, 'it is another file');
          equal((await deal.files()).length, 3, 'the number of files');
        },
        version,
      );

      define(
        '2.7/file/other-input',
        async (views) => {
          const { api, file, key, name } = views;
          const deal = await makeDeal(views, version);
          const first = okOf(await api.uploadFile(deal.reference, file, key), 'the first');
          const others: readonly object[] = [
            { name: 'other.txt' },
            { content: 'YWJk' },
            { content: '' },
            { content_type: 'text/html' },
          ];
          for (const change of others) {
            const upload = { ...file, ...change };
            const reused = await api.uploadFile(deal.reference, upload, { ...key, language: 'pl' });
            plain(errOf(reused, JSON.stringify(change)), 'idempotency_key_reused', 'pl');
          }
          const second = await makeDeal(views, version, name('second'));
          const elsewhere = await api.uploadFile(second.reference, file, key);
          plain(errOf(elsewhere, 'another deal'), 'idempotency_key_reused');
          equal(await deal.files(), [first], 'the one file');
          equal(await second.files(), [], 'no file of the other deal');
        },
        version,
      );

      define(
        '2.7/file/scope',
        async (views) => {
          const { api, file, key, name, operations } = views;
          const { call, input } = operations[namesIn[version].create];
          const deal = await makeDeal(views, version);
          okOf(
            await call(api, { ...input, partner_id: name('second') }, key),
            'a deal with the key',
          );
          const own = okOf(await api.uploadFile(deal.reference, file, key), 'a file with the key');
          const repeat = okOf(await api.uploadFile(deal.reference, file, key), 'a repeat');
          equal(repeat.id, own.id, 'its own answer');
        },
        `of a deal, ${version}`,
      );

      define(
        '2.7/file/order-of-judgement',
        async (views) => {
          const { api, file, key, name } = views;
          const deal = await makeDeal(views, version);
          const nothing = {} as FileUpload;
          const none =
            version === '1.0' ? { id: Number.MAX_SAFE_INTEGER } : { partner_id: name('none') };
          const malformed = { idempotencyKey: 'a key' };
          const refusal = errOf(await api.uploadFile(none, nothing, malformed), 'a malformed key');
          plain(refusal, 'invalid_idempotency_key');
          missing(errOf(await api.uploadFile(none, nothing, key), 'no deal'), 'deal');
          const first = okOf(await api.uploadFile(deal.reference, file, key), 'the first');
          const unnamed = await api.uploadFile(deal.reference, { ...file, name: '' }, key);
          invalid(errOf(unnamed, 'no name'), [{ path: ['name'], code: 'too_short' }]);
          equal(await deal.files(), [first], 'one file');
        },
        version,
      );
    }

    define(
      '4/file/foreign-stage',
      async (views) => {
        const { api, other, deal: input, file } = views;
        const deal = await makeDeal(views, '1.0');
        const foreign = okOf(await other.createDeal(input), "another's deal");
        for (const stage_id of foreign.stage_ids)
          await refusesStage(api, deal, { ...file, stage_id });
        equal(await deal.files(), [], 'no file here');
      },
      `${strangers.other}, 1.0`,
    );

    for (const stranger of everyStranger) {
      define(
        '2.7/file/scope',
        async (views) => {
          const { api, [stranger]: view, dealV2, file, key } = views;
          const { reference } = await makeDeal(views, '2.0');
          const own = okOf(await api.uploadFile(reference, file, key), 'a file with the key');
          okOf(await view.createDealV2(dealV2), "another's deal");
          const foreign = okOf(await view.uploadFile(reference, file, key), 'with the same key');
          check(own.id !== foreign.id, 'each has its own');
          const repeat = okOf(await api.uploadFile(reference, file, key), 'a repeat');
          equal(repeat.id, own.id, 'its own answer');
        },
        `${strangers[stranger]}, 2.0`,
      );
    }
  },
);

async function refusesStage(
  api: PartnerApi,
  { reference }: OwnDeal,
  upload: FileUpload,
): Promise<void> {
  for (const content of ['YWJj', upload.content]) {
    const error = errOf(await api.uploadFile(reference, { ...upload, content }), 'a stage');
    invalid(error, [{ path: ['stage_id'], code: 'unknown_stage' }]);
  }
}

/** The upload in base64, so that over a wire every member is sent as it is, with a change. */
function withChange(file: FileUpload, change: object): FileUpload {
  const changed: Record<string, unknown> = { ...file, content: 'YWJj', ...change };
  for (const name of Object.keys(changed)) if (changed[name] === undefined) delete changed[name];
  return changed as object as FileUpload;
}
