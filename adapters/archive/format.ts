import type { FileStore, Sha256, StoreRecord } from 'dealwright/ports';

/** The version of the text: a reader refuses any other. */
export const formatVersion = 1;

/** Bytes of a line, its end not counted: what is longer is neither written nor read. */
export const longestLine = 64 * 1024 * 1024;

/** Bytes of a content that a line holds at most, a multiple of three. */
export const pieceSize = 48 * 1024;

/**
 * Where the contents of work files come from, or go.
 */
export interface ArchiveContents {
  readonly files: FileStore;
  /** Each content is held against what the record of its file says. */
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

/** How many there are of each kind: what the last line says. */
export interface Counts extends Record<StoreRecord['record'], number> {
  content: number;
}

/** Nothing yet. */
export function noCounts(): Counts {
  return { contractor: 0, deal: 0, deal_v2: 0, event: 0, content: 0 };
}

/** How many records, whatever their kind. */
export function recordsIn({ contractor, deal, deal_v2, event }: Counts): number {
  return contractor + deal + deal_v2 + event;
}
