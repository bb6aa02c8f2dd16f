import { type FileStore, type Kind, membersOf, records, type Sha256 } from 'dealwright/ports';

/** The version of the text: a reader refuses any other. */
export const formatVersion = 2;

/** The most bytes of a line without its end: a longer line is neither written nor read. */
export const longestLine = 64 * 1024 * 1024;

/** All kinds of records, in the order of an archive. */
export const kinds = Object.keys(records) as readonly Kind[];

/** The source or the destination of the contents of work files. */
export interface ArchiveContents {
  readonly files: FileStore;
  /** Each content is checked against the digest in the record of its file. */
  readonly sha256: Sha256;
}

/** The progress of writing or reading an archive. */
export interface ArchiveProgress {
  readonly records: number;
  /** Contents of work files. */
  readonly contents: number;
  /** Bytes of the text. */
  readonly bytes: number;
}

/** A problem of an archive: the line, counted from 1, and why; never a value of the line. */
export function problemAt(line: number, what: string): Error {
  return new Error(`line ${line} of the archive ${what}`);
}

/** Joins pieces of this size in total. */
export function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * The first line. It lists the members of the records, so that an archive of another version is
 * refused before any of it is restored, and the id of the store, if that is known.
 */
export function headerOf(contents: boolean, store: string | undefined): object {
  const known = { dealwright: 'archive', format: formatVersion, contents, records: listedRecords };
  return store === undefined ? known : { ...known, store };
}

/** The members of each kind, each with its type; `?` if it may be null. */
export type ListedRecords = Readonly<Partial<Record<Kind, Readonly<Record<string, string>>>>>;

const listedRecords: ListedRecords = Object.fromEntries(
  kinds.map((kind) => {
    const types = Object.entries(membersOf(kind)).map(([name, { type, isOptional }]) => [
      name,
      isOptional ? `${type}?` : type,
    ]);
    return [kind, Object.fromEntries(types)];
  }),
);

/**
 * The members that records of an archive lack, by kind: an archive of an earlier version has fewer
 * optional ones, and fewer kinds. `undefined` if the version's records cannot be read.
 */
export function missingMembers(
  listed: ListedRecords,
): ReadonlyMap<Kind, readonly string[]> | undefined {
  const isKnown = Object.entries(listed).every(([kind, members]) =>
    Object.entries(Object(members)).every(
      ([name, type]) => Object(listedRecords[kind as Kind])[name] === type,
    ),
  );
  if (!isKnown) return undefined;
  const missing = new Map<Kind, readonly string[]>();
  for (const kind of kinds) {
    const own = listed[kind];
    if (own === undefined) continue;
    const names = Object.entries(listedRecords[kind] ?? {}).filter(([name]) => !(name in own));
    if (names.some(([, type]) => !type.endsWith('?'))) return undefined;
    missing.set(
      kind,
      names.map(([name]) => name),
    );
  }
  return missing;
}

/** The last line: how many records of each kind and contents there were; here still none. */
export function createEnd(of: Iterable<Kind> = kinds) {
  const none = Object.fromEntries([...of].map((kind) => [kind, 0])) as Record<Kind, number>;
  return { end: { records: none, contents: 0 } };
}

/** The progress of an archive if this were its last line. */
export function progressOf({ end }: ReturnType<typeof createEnd>, bytes: number): ArchiveProgress {
  const count = Object.values(end.records).reduce((sum, each) => sum + each, 0);
  return { records: count, contents: end.contents, bytes };
}
