import { check, equal } from '../../expectations.js';
import { expectStatus, group } from '../server.js';
import { binary, expectBytes, type Get, ofBinaryFile } from './place.js';

const range = 'bytes=100-299';

/** Decision 6.4: requests that depend on the `ETag` (RFC 9110, section 13). */
export const conditions = group(
  'conditions of downloads',
  {
    must: {
      '6.4/files/if-none-match': 'A download with its `ETag` as `If-None-Match` is 304.',
      '6.4/files/if-none-match-empty': 'A 304 has no body.',
      '6.4/files/if-none-match-etag': 'A 304 has the `ETag` of the file.',
      '6.4/files/if-none-match-weak': 'A weak `ETag` as `If-None-Match` counts as the strong one.',
      '6.4/files/if-none-match-list': 'The `ETag` may be anywhere in the list of `If-None-Match`.',
      '6.4/files/if-none-match-any': 'A download with `If-None-Match: *` is 304.',
      '6.4/files/if-none-match-other': 'A download with another `If-None-Match` is 200.',
      '6.4/files/if-none-match-range': 'A range with the `ETag` as `If-None-Match` is 304.',
      '6.4/files/if-none-match-of-head': 'A `HEAD` with the `ETag` as `If-None-Match` is 304.',
      '6.4/files/if-range': 'A range with the `ETag` as `If-Range` is 206.',
      '6.4/files/if-range-other':
        'A range with another `ETag` as `If-Range` is 200 with the whole file.',
      '6.4/files/if-range-weak':
        'A range with a weak `ETag` as `If-Range` is 200 with the whole file.',
      '6.4/files/if-range-date':
        'A range with a date as `If-Range` that is not that of the file is 200 with the whole file.',
    },
  },
  (define) => {
    const ofEachFile = ofBinaryFile(define);

    for (const [id, match, headers] of [
      ['6.4/files/if-none-match', (etag: string) => etag, {}],
      ['6.4/files/if-none-match-weak', (etag: string) => `W/${etag}`, {}],
      ['6.4/files/if-none-match-list', (etag: string) => `"a", W/"b,c" ,${etag},"d"`, {}],
      ['6.4/files/if-none-match-any', () => '*', {}],
      ['6.4/files/if-none-match-range', (etag: string) => etag, { range }],
    ] as const) {
      ofEachFile(id, async (get) => {
        const etag = await etagOf(get);
        expectStatus(await get({ 'if-none-match': match(etag), ...headers }), 304);
      });
    }

    ofEachFile('6.4/files/if-none-match-empty', async (get) => {
      const reply = await get({ 'if-none-match': await etagOf(get) });
      equal(reply.bytes.length, 0, 'the number of bytes');
    });

    ofEachFile('6.4/files/if-none-match-etag', async (get) => {
      const etag = await etagOf(get);
      const reply = await get({ 'if-none-match': etag });
      equal(reply.header('etag'), etag, 'the header ETag');
    });

    ofEachFile('6.4/files/if-none-match-other', async (get) => {
      const etag = await etagOf(get);
      for (const other of ['"a"', `"${etag.slice(2)}`, '"a", "b"']) {
        expectStatus(await get({ 'if-none-match': other }), 200);
      }
    });

    ofEachFile('6.4/files/if-none-match-of-head', async (get) => {
      expectStatus(await get({ 'if-none-match': await etagOf(get) }, 'HEAD'), 304);
    });

    ofEachFile('6.4/files/if-range', async (get) => {
      const reply = await get({ range, 'if-range': await etagOf(get) });
      expectStatus(reply, 206);
      expectBytes(reply, binary.subarray(100, 300));
    });

    for (const [id, match] of [
      ['6.4/files/if-range-other', () => '"a"'],
      ['6.4/files/if-range-weak', (etag: string) => `W/${etag}`],
      ['6.4/files/if-range-date', () => 'Sat, 01 Jan 2000 00:00:00 GMT'],
    ] as const) {
      ofEachFile(id, async (get) => {
        const reply = await get({ range, 'if-range': match(await etagOf(get)) });
        expectStatus(reply, 200);
        expectBytes(reply, binary);
      });
    }
  },
);

async function etagOf(get: Get): Promise<string> {
  const etag = (await get({})).header('etag');
  check(etag !== null, 'a download has an ETag');
  return etag;
}
