import * as v from 'valibot';
import { createParser, type Parser } from '../input/parser.js';
import type { Row } from '../records/records.js';
import { boundedText, integer, rule } from '../values/rule.js';
import type { WorkFileStatus } from '../values/status.js';

/**
 * A file that was delivered for a stage of a deal (decision 4). Its content is kept apart, under its
 * id, and never changes.
 */
export interface WorkFile {
  /** ULID. */
  readonly id: string;
  readonly stage_id: number;
  /** As the caller named it, 1 to 255 characters: text, and never a path. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the content, 64 hexadecimal digits in lower case. */
  readonly sha256: string;
  /** The type that the content shows, or else the declared one. */
  readonly content_type: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly uploaded_at: string;
  readonly status: WorkFileStatus;
  /** Which side uploaded it; `null` of a file from before this was recorded. */
  readonly by: 'partner' | 'freelancer' | null;
}

/** A file as its deal shows it. */
export function workFileOf(row: Row<'work_file'>): WorkFile {
  const { id, stage_id, name, size, sha256, content_type, uploaded_at, status } = row;
  const { uploaded_by: by } = row;
  return { id, stage_id, name, size, sha256, content_type, uploaded_at, status, by };
}

/** The most files of a deal: reading a deal reads all of them. */
export const mostFiles = 5_000;

/** The most files of a stage from each side, superseded ones not counted. */
export const mostOfStage = 500;

const hour = 60 * 60 * 1000;

/** Milliseconds from the start of an upload; later it is never recorded, and may be swept. */
export const longestUpload = hour;

/**
 * A content younger than this (milliseconds) is not swept: after the longest upload, this leaves an
 * hour for clocks that differ, and for a store that records late.
 */
export const leastSweptAge = longestUpload + hour;

/** Milliseconds that a content stays in the trash of its file store before it is deleted for good. */
export const trashedFor = 30 * 24 * hour;

/** The members of a file except its content. */
export interface WorkFileTerms {
  readonly stage_id?: number;
  readonly name: string;
  readonly content_type?: string;
}

/** RFC 9110, section 8.3.1: type, subtype and parameters. */
const mediaType =
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:[\t ]*;[\t ]*[!#$%&'*+.^_`|~0-9A-Za-z-]+=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"(?:[\t !#-[\]-~]|\\[\t -~])*"))*$/;

/**
 * The rules of the members of a file (decision 4).
 *
 * @internal
 */
export function workFileEntries() {
  return {
    stage_id: v.exactOptional(integer()),
    name: boundedText(1, 255),
    content_type: v.exactOptional(
      v.pipe(
        boundedText(1, 255),
        rule('invalid_media_type', (value: string) => mediaType.test(value), {}),
      ),
    ),
  };
}

/** The parser of the members of a file. */
export function createWorkFileParser(): Parser<WorkFileTerms> {
  return createParser(v.object(workFileEntries()));
}
