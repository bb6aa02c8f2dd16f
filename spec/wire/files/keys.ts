import { equal } from '../../expectations.js';
import { expectError, expectStatus, group, type Members } from '../server.js';
import { formOf } from './form.js';
import { draft, filePart, give, idsOf, inEachFace, storedFile } from './place.js';

/** The draft with one member changed: another command. */
const others: Readonly<Record<string, Members>> = {
  content: { content: btoa('Twice upon a time') },
  'content of the same size': { content: btoa('Once upon a tide') },
  name: { name: 'other.txt' },
  content_type: { content_type: 'text/html' },
};

/** Decision 2.7: uploads with an idempotency key. */
export const keysOfUploads = group(
  'keys of uploads',
  {
    must: {
      '2.7/files/replay': 'An upload that is repeated with its key has the first answer.',
      '2.7/files/replay-stores-nothing': 'An upload that is repeated with its key is stored once.',
      '2.7/files/replay-of-form': 'A form that is repeated with its key has the first answer.',
      '2.7/files/replay-in-other-form':
        'The same file as JSON and as a form, with one key, is a repeat.',
      '2.7/files/replay-once-closed':
        'An upload that is repeated with its key has the first answer, though its stage is closed.',
      '2.7/files/reused': 'Another upload with the same key is 422 `idempotency_key_reused`.',
      '2.7/files/reused-in-form': 'Another form with the same key is 422.',
      '2.7/files/reused-stores-nothing': 'An upload with the key of another one is not stored.',
      '2.7/files/malformed-key': 'An upload with a malformed key is 400 `invalid_idempotency_key`.',
      '2.7/files/key-of-refusal': 'A key of an upload that was refused can be used again.',
    },
  },
  (define) => {
    const inEach = inEachFace(define);

    inEach('2.7/files/replay', async (place) => {
      const key = place.server.name('key');
      const first = await place.upload({}, { key });
      equal(await place.upload({}, { key }), first, 'the answer to the repeat');
    });

    inEach('2.7/files/replay-stores-nothing', async (place) => {
      const key = place.server.name('key');
      const { id } = await place.upload({}, { key });
      await place.send({ body: draft, key });
      equal(idsOf(await place.listed()), [id], 'the ids of the files');
    });

    inEach('2.7/files/replay-of-form', async (place) => {
      const request = { ...formOf([filePart]), key: place.server.name('key') };
      const first = storedFile(await place.send(request));
      equal(storedFile(await place.send(request)), first, 'the answer to the repeat');
    });

    inEach('2.7/files/replay-in-other-form', async (place) => {
      const key = place.server.name('key');
      const first = await place.upload({}, { key });
      const repeat = storedFile(await place.send({ ...formOf([filePart]), key }));
      equal(repeat, first, 'the answer to the repeat');
    });

    inEach('2.7/files/replay-once-closed', async (place) => {
      const key = place.server.name('key');
      const first = await place.upload({}, { key });
      await give(place, 'cancel');
      equal(await place.upload({}, { key }), first, 'the answer to the repeat');
    });

    for (const [variant, changes] of Object.entries(others)) {
      inEach(
        '2.7/files/reused',
        async (place) => {
          const key = place.server.name('key');
          await place.upload({}, { key });
          const reply = await place.send({ body: { ...draft, ...changes }, key });
          expectError(reply, 422, 'idempotency_key_reused');
        },
        variant,
      );
    }

    inEach('2.7/files/reused-in-form', async (place) => {
      const key = place.server.name('key');
      storedFile(await place.send({ ...formOf([filePart]), key }));
      const other = formOf([{ ...filePart, content: 'Once upon a tide' }]);
      expectError(await place.send({ ...other, key }), 422, 'idempotency_key_reused');
    });

    inEach('2.7/files/reused-stores-nothing', async (place) => {
      const key = place.server.name('key');
      const { id } = await place.upload({}, { key });
      for (const changes of Object.values(others)) {
        await place.send({ body: { ...draft, ...changes }, key });
      }
      equal(idsOf(await place.listed()), [id], 'the ids of the files');
    });

    inEach('2.7/files/malformed-key', async (place) => {
      const key = `${place.server.name('key')} key`;
      for (const request of [{ body: draft }, formOf([filePart])]) {
        expectError(await place.send({ ...request, key }), 400, 'invalid_idempotency_key');
      }
    });

    inEach('2.7/files/key-of-refusal', async (place) => {
      const key = place.server.name('key');
      expectStatus(await place.send({ body: { ...draft, name: undefined }, key }), 400);
      expectStatus(await place.send({ body: draft, key }), 201);
    });
  },
);
