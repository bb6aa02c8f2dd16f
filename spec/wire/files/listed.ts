import { check, equal } from '../../expectations.js';
import { expectError, expectStatus, group, withoutIds } from '../server.js';
import {
  base64Of,
  binary,
  draft,
  expectBytes,
  filePart,
  idsOf,
  inEachFace,
  inEachReader,
} from './place.js';

/** An id of the right form that no file has. */
const noFile = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** Decisions 2.5, 5.2, 6.4, 6.5 and 6.7: who sees which files. */
export const listed = group(
  'files that are seen',
  {
    must: {
      '6.7/files/none': 'The list of the files of a new deal is empty.',
      '6.7/files/listed-once': 'The list of files has each upload once.',
      '6.7/files/listed-as-uploaded':
        'A file in the list has the values of the answer to its upload.',
      '6.7/files/listed-form': 'A file that was uploaded as a form is in the list.',
      '6.4/files/stored': 'A new file has the status `stored`.',
      '2.5/files/listed-apart': 'The list of files has those of its own deal alone.',
      '6.5/files/other-side-lists': 'Each side of a deal lists the files of the other side.',
      '6.5/files/other-side-downloads':
        'Each side of a deal downloads the files of the other side.',
      '2.5/files/of-another-deal': 'The file of another deal is 404, as one that does not exist.',
      '6.4/files/unknown': 'A file that does not exist is 404 `not_found`.',
      '6.5/files/no-offer': 'The files of an offer with a token that no deal has are 401.',
      '5.2/files/download-without-token': 'A download without a token is 401.',
      '4/files/without-slash': 'The paths of files have the same answers without a closing slash.',
      '6.7/files/by-id': 'Files are uploaded, listed and downloaded below `by-id/`, too.',
    },
  },
  (define) => {
    const inEach = inEachReader(define);

    inEach('6.7/files/none', async (place) => {
      equal(await place.listed(), [], 'the files of the deal');
    });

    inEach('6.7/files/listed-once', async (place) => {
      const files = [await place.upload(), await place.upload(), await place.upload({ name: 'b' })];
      equal(idsOf(await place.listed()), idsOf(files), 'the ids of the files');
    });

    inEach('6.7/files/listed-as-uploaded', async (place) => {
      const { id, stage_id, name, size, sha256, content_type, uploaded_at } = await place.upload();
      const uploaded = { id, stage_id, name, size, sha256, content_type, uploaded_at };
      const [file = {}] = await place.listed();
      const shown = Object.keys(uploaded).map((member) => [member, file[member]]);
      equal(Object.fromEntries(shown), uploaded, 'the file in the list');
    });

    inEach('6.7/files/listed-form', async (place) => {
      const file = await place.uploadForm(filePart);
      equal(idsOf(await place.listed()), [file.id], 'the ids of the files');
    });

    inEach('6.4/files/stored', async (place) => {
      await place.upload();
      const [file] = await place.listed();
      equal(file?.['status'], 'stored', 'the status of the file');
    });

    inEach('2.5/files/listed-apart', async (place, { open }) => {
      await (await open(place.server)).upload();
      const file = await place.upload();
      equal(idsOf(await place.listed()), [file.id], 'the ids of the files');
    });

    inEach('6.5/files/other-side-lists', async (place) => {
      const files = [await place.upload(), await place.otherSide().upload()];
      equal(idsOf(await place.listed()), idsOf(files), 'the ids of the files');
    });

    inEach('6.5/files/other-side-downloads', async (place) => {
      const { id } = await place.otherSide().upload({ content: base64Of(binary) });
      const reply = await place.get(id);
      expectStatus(reply, 200);
      expectBytes(reply, binary);
    });

    inEach('2.5/files/of-another-deal', async (place, { open }) => {
      const { id } = await (await open(place.server)).upload();
      const reply = await place.get(id);
      expectError(reply, 404, 'not_found');
      equal(withoutIds(reply), withoutIds(await place.get(noFile)), 'the error');
    });

    inEach('6.4/files/unknown', async (place) => {
      for (const id of [noFile, 'draft.txt', '1', 'x'.repeat(300)]) {
        expectError(await place.get(id), 404, 'not_found');
      }
    });

    inEach('5.2/files/download-without-token', async (place) => {
      const { id } = await place.upload();
      const reply = await place.server.anonymous.send('GET', `${place.path}${id}/`);
      expectError(reply, 401, 'unauthorized');
    });

    inEachFace(define)(
      '4/files/without-slash',
      async (place) => {
        const path = place.path.slice(0, -1);
        expectStatus(await place.caller.send('POST', path, { body: draft }), 201);
        equal((await place.listed()).length, 1, 'the number of the files of the deal');
      },
      'upload',
    );
    inEach(
      '4/files/without-slash',
      async (place) => {
        await place.upload();
        const list = await place.caller.send('GET', place.path);
        const reply = await place.caller.send('GET', place.path.slice(0, -1));
        equal(reply.json(), list.json(), 'the list');
      },
      'list',
    );
    inEach(
      '4/files/without-slash',
      async (place) => {
        const { id } = await place.upload();
        expectStatus(await place.caller.send('GET', `${place.path}${id}`), 200);
      },
      'download',
    );

    for (const [method, file] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `${noFile}/`],
    ] as const) {
      define(
        '6.5/files/no-offer',
        async (server) => {
          const request = method === 'POST' ? { body: draft } : {};
          const token = server.name('no-offer-at-all');
          const path = `/api/2.0/offer/file/${file}`;
          const reply = await server.freelancer(token).send(method, path, request);
          expectError(reply, 401, 'unauthorized');
        },
        `${method} file/${file && '{file_id}/'}`,
      );
    }

    define('6.7/files/by-id', async (server) => {
      const { partner } = server;
      const partner_id = server.name('a/b');
      const path = (file: string) =>
        `/api/2.0/deal/by-id/file/${file}?partner_id=${encodeURIComponent(partner_id)}`;
      await partner.data('POST', '/api/2.0/deal/', { body: server.dealV2({ partner_id }) });
      const { id } = await partner.data('POST', path(''), { body: draft });
      const { data } = (await partner.send('GET', path(''))).members();
      check(Array.isArray(data), 'the list of files is an array');
      equal(idsOf(data), [String(id)], 'the ids of the files');
      expectStatus(await partner.send('GET', path(`${id}/`)), 200);
    });
  },
);
