import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * What SQLite would leave out without a word: it reads its log (`-wal`) up to the first frame whose
 * checksum is wrong, and nothing of it behind a wrong header. Describes the damage, if committed
 * writes follow it; `undefined` if none do, or there is no log.
 *
 * A log that a kill or a loss of power has cut is sound. The frames of its last transaction may be
 * missing in any order, its commit may be there without them, and frames of earlier transactions
 * that came to nothing may follow. But SQLite waits for the disk after each commit: a frame that was
 * chained to a commit proves that all before it was on the disk.
 */
export function logDamage(database: string): string | undefined {
  const found = look(database);
  // another process may write to it meanwhile: damage stays where it is
  return found !== undefined && found === look(database) ? found : undefined;
}

/** The lengths of the header of the log, and of that of each frame (sqlite.org/fileformat2.html). */
const [logHeader, frameHeader] = [32, 24];

type Checksum = readonly [number, number];

/** A part of a file; what is behind its end is zero. */
type Read = (from: number, length: number) => DataView;

function look(database: string): string | undefined {
  return withFile(`${database}-wal`, (read, size) => {
    const header = read(0, logHeader);
    const isSound = isSoundHeader(header);
    const pageSize = isSound ? pageSizeOf(header.getUint32(8)) : pageSizeIn(database);
    const count = Math.floor((size - logHeader) / (frameHeader + pageSize));
    const frameAt = (place: number) =>
      read(logHeader + (place - 1) * (frameHeader + pageSize), frameHeader + pageSize);
    for (const isLittle of isSound ? [isLittleIn(header)] : [true, false]) {
      let damaged = isSound ? undefined : 0;
      let previous = header;
      let isKnown = false;
      for (let place = 1; place <= count; place += 1) {
        const frame = frameAt(place);
        const follows =
          isOneLog(place > 1 && !isSound ? previous : header, frame) &&
          isEqual(sumOf(frame, isLittle, checksumOf(previous)), checksumOf(frame));
        if (!follows) damaged ??= place;
        else if (damaged !== undefined && isKnown && isCommit(previous)) {
          const what = damaged === 0 ? 'its header' : `frame ${damaged} of ${count}`;
          return `${what} in its -wal file is wrong, and committed writes follow`;
        }
        previous = frame;
        // a wrong frame may look like a commit, too
        isKnown = follows;
      }
    }
    return undefined;
  });
}

function isSoundHeader(header: DataView): boolean {
  const isLog = header.getUint32(0) >>> 1 === 0x377f0682 >>> 1;
  return isLog && isEqual(sumOf(header, isLittleIn(header), [0, 0]), checksumOf(header));
}

const isLittleIn = (header: DataView): boolean => (header.getUint8(3) & 1) === 0;

/** Whether a frame has the salts of another one, or of the header: others are of an earlier log. */
function isOneLog(other: DataView, frame: DataView): boolean {
  const at = saltsAt(other);
  return (
    frame.getUint32(0) !== 0 &&
    frame.getUint32(8) === other.getUint32(at) &&
    frame.getUint32(12) === other.getUint32(at + 4)
  );
}

/** The salts of a frame, or of the header, stand before its checksum. */
const saltsAt = (part: DataView): number => (part.byteLength === logHeader ? 16 : 8);

function checksumOf(part: DataView): Checksum {
  const at = saltsAt(part) + 8;
  return [part.getUint32(at), part.getUint32(at + 4)];
}

/** Whether a frame is the last one of a transaction. */
const isCommit = (frame: DataView): boolean => frame.getUint32(4) !== 0;

/** The checksum of a frame after another one, or of the header. */
function sumOf(part: DataView, isLittle: boolean, before: Checksum): Checksum {
  if (part.byteLength === logHeader) return add(part, 0, 24, isLittle, before);
  return add(part, frameHeader, part.byteLength, isLittle, add(part, 0, 8, isLittle, before));
}

function add(part: DataView, from: number, to: number, isLittle: boolean, sum: Checksum): Checksum {
  let [one, two] = sum;
  for (let at = from; at < to; at += 8) {
    one = (one + part.getUint32(at, isLittle) + two) >>> 0;
    two = (two + part.getUint32(at + 4, isLittle) + one) >>> 0;
  }
  return [one, two];
}

const isEqual = (one: Checksum, other: Checksum): boolean =>
  one[0] === other[0] && one[1] === other[1];

const usualPageSize = 4096;

const pageSizeOf = (given: number): number =>
  given >= 512 && given <= 65_536 && (given & (given - 1)) === 0 ? given : usualPageSize;

/** The page size that the header of the database names; 1 stands for 65,536. */
function pageSizeIn(database: string): number {
  const given = withFile(database, (read) => read(16, 2).getUint16(0)) ?? 0;
  return pageSizeOf(given === 1 ? 65_536 : given);
}

/** Reads a file; `undefined` if it cannot be opened: SQLite says why. */
function withFile<T>(path: string, use: (read: Read, size: number) => T): T | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const read = (from: number, length: number) => {
      const part = Buffer.alloc(length);
      readSync(file, part, 0, length, from);
      return new DataView(part.buffer, part.byteOffset, length);
    };
    return use(read, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}
