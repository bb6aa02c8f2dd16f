import type { Tenant } from '../../src/domain/values/tenant.js';
import { check, equal, show } from '../expectations.js';
import {
  acme,
  ask,
  bytesFrom,
  type FileStoreSubject,
  fileId,
  group,
  piecesOf,
  put,
  read,
  sameBytes,
} from './subject.js';

const mebibyte = 1024 * 1024;
const id = fileId(1);

/** A content is stored completely or not at all. */
export const failures = group(
  'contents that fail',
  {
    must: {
      '8/files/broken-off':
        'If a content cannot be read to its end, nothing of it is stored, the answer is `unavailable`, and its id stays free.',
      '6.4/files/whole-or-nothing':
        'A content is neither read nor listed before it is stored completely, and holds up no other content until then.',
      '6.4/files/at-once': 'Contents that are stored at the same time do not mix.',
    },
  },
  (define) => {
    for (const [size, where] of [
      [0, 'before its first piece'],
      [1000, 'after a little'],
      [11 * mebibyte, 'after a lot'],
    ] as const) {
      define(
        '8/files/broken-off',
        async (store) => {
          await put(store, acme, fileId(0), bytesFrom(1, 10));
          const failure = new Error('the line broke');
          const result = await store.put(acme, id, breakingOff(size, failure));
          check(result.isErr(), `it was stored: ${show(result)}`);
          equal(result.error.code, 'unavailable', 'the code');
          await isNotThere(store, acme, id);
          equal(await ask(store.list(acme, undefined)), [fileId(0)], 'what is listed');
          equal(await ask(store.delete(acme, id)), 'missing', 'there is nothing to delete');
          // a second attempt works
          const second = bytesFrom(2, 1000);
          await put(store, acme, id, second);
          sameBytes(await read(store, acme, id), second, 'the second attempt');
        },
        where,
      );
    }

    define('6.4/files/whole-or-nothing', async (store) => {
      const first = bytesFrom(3, 6 * mebibyte);
      let goOn: () => void = () => undefined;
      let stall: () => void = () => undefined;
      const stalled = new Promise<void>((resolve) => {
        stall = resolve;
      });
      async function* slow(): AsyncGenerator<Uint8Array> {
        yield first.subarray(0, first.length - 1);
        stall();
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        yield first.subarray(first.length - 1);
      }
      const putting = Promise.resolve(store.put(acme, id, slow()));
      await Promise.race([stalled, putting]);
      await isNotThere(store, acme, id);
      const second = bytesFrom(4, 1000);
      await put(store, acme, fileId(2), second);
      sameBytes(await read(store, acme, fileId(2)), second, 'what came meanwhile');
      equal(await ask(store.list(acme, undefined)), [fileId(2)], 'what is listed');
      goOn();
      equal(await ask(putting), 'stored', 'the answer');
      sameBytes(await read(store, acme, id), first, 'what was slow');
      equal(await ask(store.list(acme, undefined)), [id, fileId(2)], 'what is listed at last');
    });

    define('6.4/files/at-once', async (store) => {
      const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
      async function* inTurns(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < bytes.length; at += 10_000) {
          await undefined;
          yield bytes.slice(at, at + 10_000);
        }
      }
      const all = numbers.map((number) =>
        ask(store.put(acme, fileId(number), inTurns(bytesFrom(number, 100_000 + number)))),
      );
      equal(await Promise.all(all), Array(numbers.length).fill('stored'), 'the answers');
      for (const number of numbers) {
        const expected = bytesFrom(number, 100_000 + number);
        sameBytes(await read(store, acme, fileId(number)), expected, `content ${number}`);
      }
    });
  },
);

async function isNotThere(store: FileStoreSubject, tenant: Tenant, id: string): Promise<void> {
  const there = await ask(store.get(tenant, id));
  check(there === undefined, 'nothing is under its id');
}

async function* breakingOff(size: number, failure: Error): AsyncGenerator<Uint8Array> {
  if (size > 0) yield* piecesOf(bytesFrom(5, size), new Uint8Array());
  throw failure;
}
