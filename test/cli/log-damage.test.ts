import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logDamage } from '../../adapters/cli/store/log-damage.js';

const [logHeader, frameLength] = [32, 24 + 4096];
const frame = (place: number) => logHeader + (place - 1) * frameLength;

let folder = '';
const path = () => join(folder, 'deals.db');
const log = () => `${path()}-wal`;

let names = 0;
/** A new name each time: the driver may keep a file that was deleted, and its shared memory. */
function newPath(): string {
  names += 1;
  return join(folder, `${names}.db`);
}

interface Log {
  readonly database: Buffer;
  readonly bytes: Buffer;
  /** How many frames there are after each transaction. */
  readonly ends: readonly number[];
}

/** A log that SQLite wrote: a transaction of one insert for each number of rows. */
function write(sizes: readonly number[], before: readonly number[] = []): Log {
  const own = newPath();
  const db = new Database(own);
  db.prepare('pragma journal_mode = wal').get();
  db.exec('create table rows (id integer primary key, text text)');
  const insert = (rows: number) => {
    const add = db.prepare('insert into rows (text) values (?)');
    db.transaction(() => {
      for (let row = 0; row < rows; row += 1) add.run('x'.repeat(3_000));
    })();
  };
  for (const rows of before) insert(rows);
  // the next write begins the log anew, in front of the frames of before
  db.prepare(`pragma wal_checkpoint(restart)`).get();
  const database = readFileSync(own);
  const ends: number[] = [];
  for (const rows of sizes) {
    insert(rows);
    ends.push(framesOf(readFileSync(`${own}-wal`)));
  }
  const bytes = readFileSync(`${own}-wal`);
  db.close();
  return { database, bytes, ends };
}

/** The frames with the salts of the header. */
function framesOf(bytes: Buffer): number {
  const salts = bytes.subarray(16, 24);
  let count = 0;
  const at = () => frame(count + 1);
  while (bytes.subarray(at() + 8, at() + 16).equals(salts)) count += 1;
  return count;
}

/** Puts a database and its log in place. */
function put({ database }: Log, bytes: Uint8Array): void {
  writeFileSync(path(), database);
  writeFileSync(log(), bytes);
}

function changed({ bytes }: Log, change: (copy: Buffer) => unknown): Buffer {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
}

/** SQLite on a copy of the files. */
function openCopy() {
  const copy = newPath();
  copyFileSync(path(), copy);
  copyFileSync(log(), `${copy}-wal`);
  return { db: new Database(copy), log: `${copy}-wal` };
}

/** How many rows SQLite itself reads. */
function rowsRead(): unknown {
  const { db } = openCopy();
  const [found] = db.prepare('select count(*) as count from rows').all();
  db.close();
  return Reflect.get(Object(found), 'count');
}

// the last transaction has three frames or more, and so has one in the middle
const sizes = [1, 4, 1, 1, 4];
let made: Log;
let behind: Log;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-'));
  made = write(sizes);
  behind = write(sizes, [9, 9, 9, 9, 9]);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a log', () => {
  it('that is whole, empty or gone is sound', () => {
    put(made, made.bytes);
    expect([logDamage(path()), rowsRead()]).toEqual([undefined, 11]);
    put(behind, behind.bytes);
    expect(behind.bytes.length).toBeGreaterThan(frame((behind.ends.at(-1) ?? 0) + 1));
    expect([logDamage(path()), rowsRead()]).toEqual([undefined, 56]);
    for (const length of [100, 32, 31, 1, 0]) {
      truncateSync(log(), length);
      expect(logDamage(path())).toBe(undefined);
    }
    rmSync(log());
    expect(logDamage(path())).toBe(undefined);
  });

  it('that ends within its last frame is sound, at every byte', () => {
    put(made, made.bytes);
    for (let length = made.bytes.length; length > made.bytes.length - frameLength; ) {
      length -= 1;
      truncateSync(log(), length);
      if (logDamage(path()) !== undefined) expect(length).toBe('sound');
    }
    expect(rowsRead()).toBe(7);
  });

  it('whose last transaction a loss of power has torn anywhere is sound', () => {
    const torn = fc.record({
      isOnOld: fc.boolean(),
      filler: fc.constantFrom(0, 0x5a),
      from: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(torn, ({ isOnOld, filler, from, length }) => {
        const one = isOnOld ? behind : made;
        const [start, end] = one.ends.slice(-2).map((place) => frame(place + 1));
        if (start === undefined || end === undefined) throw new Error('there are two transactions');
        const first = Math.floor(start + from * (end - 1 - start));
        const last = Math.ceil(first + 1 + length * (end - first - 1));
        put(
          one,
          changed(one, (copy) => copy.fill(filler, first, last)),
        );
        expect(logDamage(path())).toBe(undefined);
      }),
      { numRuns: 150 },
    );
  });

  it('over which other writes were begun after a torn one is sound', () => {
    // the commit of the torn transaction was on the disk, one of its frames was not
    const [start = 0, end = 0] = made.ends.slice(-2);
    put(
      made,
      changed(made, (copy) => copy.fill(0, frame(start + 1), frame(start + 2))),
    );
    const { db, log: own } = openCopy();
    db.prepare('insert into rows (text) values (?)').run('short');
    const bytes = readFileSync(own);
    db.close();
    put(made, bytes);
    expect(framesOf(bytes)).toBe(end);
    expect([logDamage(path()), rowsRead()]).toEqual([undefined, 8]);
  });

  it('with a wrong bit before later commits is named, and would lose them', () => {
    const place = fc.record({
      isOnOld: fc.boolean(),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      bit: fc.integer({ min: 0, max: 7 }),
    });
    fc.assert(
      fc.property(place, ({ isOnOld, at: share, bit }) => {
        const one = isOnOld ? behind : made;
        const last = frame((one.ends.at(-4) ?? 0) + 1);
        const at = Math.floor(logHeader + share * (last - 1 - logHeader));
        put(
          one,
          changed(one, (copy) => copy.writeUInt8(copy.readUInt8(at) ^ (1 << bit), at)),
        );
        const found = Math.floor((at - logHeader) / frameLength) + 1;
        expect(logDamage(path())).toMatch(new RegExp(`^frame ${found} of \\d+ in its -wal file`));
      }),
      { numRuns: 150 },
    );
    expect(rowsRead()).toBeLessThan(56);
  });

  it('with a wrong header is named', () => {
    for (const one of [made, behind]) {
      for (let at = 0; at < logHeader; at += 1) {
        put(
          one,
          changed(one, (copy) => copy.writeUInt8(copy.readUInt8(at) ^ 1, at)),
        );
        expect(logDamage(path())).toBe(
          'its header in its -wal file is wrong, and committed writes follow',
        );
      }
      put(
        one,
        changed(one, (copy) => copy.fill(0, 0, logHeader)),
      );
      expect(logDamage(path())).toMatch(/^its header/);
    }
  });
});
