import { type FileStore, type Kind, membersOf, records, type Sha256 } from 'dealwright/ports';

/** The version of the text: a reader refuses any other. */
export const formatVersion = 2;

/** Bytes of a line, its end not counted: what is longer is neither written nor read. */
export const longestLine = 64 * 1024 * 1024;

/** Bytes of a content that a line holds at most, a multiple of three. */
export const pieceSize = 48 * 1024;

/** All kinds of records, in the order in which they come. */
export const kinds = Object.keys(records) as readonly Kind[];

/**
 * Where the contents of work files come from, or go.
 */
export interface ArchiveContents {
  readonly files: FileStore;
  /** Each content is checked against the digest in the record of its file. */
  readonly sha256: Sha256;
}

/**
 * How far it is.
 */
export interface ArchiveProgress {
  readonly records: number;
  /** Contents of work files. */
  readonly contents: number;
  /** Of the text. */
  readonly bytes: number;
}

/**
 * The first line. It says of which members the records are made, so that an archive of another
 * version is refused before anything of it is restored.
 */
export function headerOf(contents: boolean): object {
  const members = kinds.map((kind) => [
    kind,
    Object.fromEntries(
      Object.entries(membersOf(kind)).map(([name, { type, isOptional }]) => [
        name,
        isOptional ? `${type}?` : type,
      ]),
    ),
  ]);
  return {
    dealwright: 'archive',
    format: formatVersion,
    contents,
    records: Object.fromEntries(members),
  };
}

/** Counts the lines of an archive. */
export interface Counter {
  addRecord(kind: Kind): void;
  addContent(): void;
  progress(bytes: number): ArchiveProgress;
  /** The last line. */
  end(): object;
}

/** No lines yet. */
export function createCounter(): Counter {
  const counts = new Map(kinds.map((kind) => [kind, 0]));
  let [records, contents] = [0, 0];
  return {
    addRecord(kind) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      records += 1;
    },
    addContent() {
      contents += 1;
    },
    progress: (bytes) => ({ records, contents, bytes }),
    end: () => ({ end: { records: Object.fromEntries(counts), contents } }),
  };
}
