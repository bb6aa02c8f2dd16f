import { equal } from '../../expectations.js';
import { notApplicable } from '../../laws.js';
import { expectError, expectStatus, group, type Members } from '../server.js';
import { formOf } from './form.js';
import {
  base64Of,
  binary,
  expectBytes,
  filePart,
  give,
  idsOf,
  inEachFace,
  inEachReader,
  type ReadingPlace,
} from './place.js';

/** Decision 6.4: files in the life of their deal. */
export const lifeOfFiles = group(
  'files in the life of a deal',
  {
    must: {
      '6.4/files/submitted': 'A file stays `stored` while its stage is `submitted`.',
      '6.4/files/accepted': 'A file is `accepted` once its stage is approved.',
      '6.4/files/superseded': 'A file is `superseded` once its stage was sent back.',
      '6.4/files/superseded-stays': 'A `superseded` file is not accepted with later ones.',
      '6.4/files/open-again': 'A stage that was sent back takes files again.',
      '6.4/files/content-stays': 'A `superseded` file is downloaded unchanged.',
      '6.4/files/refused-submitted':
        'An upload for a stage that is `submitted` is `precondition_failed`.',
      '6.4/files/refused-approved':
        'An upload for a stage that is `approved` is `precondition_failed`.',
      '6.4/files/refused-cancelled':
        'An upload for a deal that was cancelled is `precondition_failed`.',
      '6.4/files/refused-form': 'A form for a deal that was cancelled is `precondition_failed`.',
      '6.2/files/refused-reason': 'The `reason` of a refused upload is `stage_closed`.',
      '6.4/files/closed-stays':
        'An upload that was refused, since its stage is closed, is in no list.',
    },
  },
  (define) => {
    const inEach = inEachReader(define);

    for (const [id, commands, status] of [
      ['6.4/files/submitted', ['deliver'], 'stored'],
      ['6.4/files/accepted', ['deliver', 'approve'], 'accepted'],
      ['6.4/files/superseded', ['deliver', 'request-changes'], 'superseded'],
    ] as const) {
      inEach(id, async (place) => {
        await place.upload();
        await lead(place, ...commands);
        expectStatuses(await place.listed(), { 'draft.txt': status });
      });
    }

    inEach('6.4/files/superseded-stays', async (place) => {
      await place.upload();
      await lead(place, 'deliver', 'request-changes');
      await place.upload({ name: 'second.txt' });
      await lead(place, 'deliver', 'approve');
      const expected = { 'draft.txt': 'superseded', 'second.txt': 'accepted' };
      expectStatuses(await place.listed(), expected);
    });

    inEach('6.4/files/open-again', async (place) => {
      await place.upload();
      await lead(place, 'deliver', 'request-changes');
      expectStatus(await place.send(), 201);
    });

    inEach('6.4/files/content-stays', async (place) => {
      const { id } = await place.upload({ content: base64Of(binary) });
      await lead(place, 'deliver', 'request-changes');
      const reply = await place.get(id);
      expectStatus(reply, 200);
      expectBytes(reply, binary);
    });

    for (const [id, ...commands] of [
      ['6.4/files/refused-submitted', 'deliver'],
      ['6.4/files/refused-approved', 'deliver', 'approve'],
    ] as const) {
      inEach(id, async (place) => {
        await place.upload();
        await lead(place, ...commands);
        expectError(await place.send(), 409, 'precondition_failed');
      });
    }

    const inEachUpload = inEachFace(define);

    inEachUpload('6.4/files/refused-cancelled', async (place) => {
      await give(place, 'cancel');
      expectError(await place.send(), 409, 'precondition_failed');
    });

    inEachUpload('6.4/files/refused-form', async (place) => {
      await give(place, 'cancel');
      expectError(await place.send(formOf([filePart])), 409, 'precondition_failed');
    });

    inEachUpload('6.2/files/refused-reason', async (place) => {
      await give(place, 'cancel');
      equal((await place.send()).members()['reason'], 'stage_closed', 'the reason');
    });

    inEachUpload('6.4/files/closed-stays', async (place) => {
      const { id } = await place.upload();
      await give(place, 'cancel');
      await place.send();
      await place.send(formOf([filePart]));
      equal(idsOf(await place.listed()), [id], 'the ids of the files');
    });
  },
);

/** Gives commands that must succeed: `deliver` as the freelancer, others as the partner. */
async function lead(
  place: ReadingPlace,
  ...commands: readonly ('deliver' | 'approve' | 'request-changes')[]
): Promise<void> {
  for (const command of commands) {
    if (command !== 'deliver') await give(place, command);
    else await deliver(place);
  }
}

async function deliver({ freelancer }: ReadingPlace): Promise<void> {
  const reply = await freelancer.send('POST', '/api/2.0/offer/deliver/', { body: {} });
  if (reply.status === 409 && reply.members()['reason'] === 'not_paid') {
    notApplicable('work is delivered after its payment (mode prepaid)');
  }
  expectStatus(reply, 200);
}

/** Fails the case unless the files have these statuses, by their names. */
function expectStatuses(files: readonly Members[], statuses: Members): void {
  const shown = files.map(({ name, status }) => [name, status]);
  equal(Object.fromEntries(shown), statuses, 'the statuses of the files, by their names');
}
