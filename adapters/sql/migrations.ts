import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { err, ok, type Result } from 'neverthrow';

/** One step of a schema. Once it was released it never changes: a later one mends it. */
export interface Migration {
  /** From 1, without gaps. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** A step, and what databases know it by where its SQL was another once. */
export interface KnownMigration extends Migration {
  readonly checksum?: string;
  /** What the step of this number was known by in versions from which there is no way. */
  readonly abandoned?: string;
}

/** What a database says of a step that it has. */
export interface AppliedMigration {
  readonly number: number;
  readonly checksum: string;
}

/** What a migration came to. */
export interface MigrationReport {
  /** The numbers of the steps that this very call applied, in their order; none where all were there. */
  readonly applied: readonly number[];
  /** The number of the last step that the database has now. */
  readonly latest: number;
}

/** Why a database is not migrated. */
export interface MigrationRefusal {
  /**
   * `newer`: by a later version of this library. `changed`: by other steps than these, which may be
   * those of a version from which there is no way.
   */
  readonly code: 'newer' | 'changed';
  readonly number: number;
  readonly message: string;
}

/** What a text is known by. */
export function checksumOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** What a step is known by: its SQL as it stands in this library, or as it was. */
export function checksumOfStep({ sql, checksum = checksumOf(sql) }: KnownMigration): string {
  return checksum;
}

/** The steps that a database lacks, in their order, or why it is left alone. */
export function pendingMigrations(
  all: readonly KnownMigration[],
  applied: readonly AppliedMigration[],
): Result<readonly KnownMigration[], MigrationRefusal> {
  const byNumber = new Map(all.map((each) => [each.number, each]));
  for (const { number, checksum: found } of applied) {
    const known = byNumber.get(number);
    if (known === undefined) {
      const message = `the database has migration ${number} and this version of dealwright knows ${all.length}: use a newer one`;
      return err({ code: 'newer', number, message });
    }
    if (known.abandoned === found) {
      const message =
        'a version of dealwright wrote it that kept deals in other tables (up to commit cfc147f), and there is no way from it to this version: go on with that version, or begin with an empty database';
      return err({ code: 'changed', number, message });
    }
    if (checksumOfStep(known) !== found) {
      const message = `migration ${number} of the database is another than this version of dealwright has: it was changed, or is none of its own`;
      return err({ code: 'changed', number, message });
    }
  }
  const done = new Set(applied.map(({ number }) => number));
  return ok(all.filter(({ number }) => !done.has(number)));
}
