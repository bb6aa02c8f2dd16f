import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { err, ok, type Result } from 'neverthrow';

/** One step of a schema. A released step never changes: a later one corrects it. */
export interface Migration {
  /** From 1, without gaps. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** A step, and its checksum in databases if its SQL was different once. */
export interface KnownMigration extends Migration {
  readonly checksum?: string;
  /** The checksum of this step in versions that cannot be upgraded. */
  readonly abandoned?: string;
}

/** A step in the log of a database. */
export interface AppliedMigration {
  readonly number: number;
  readonly checksum: string;
}

/** The result of a migration. */
export interface MigrationReport {
  /** The numbers of the steps that this very call applied, in their order; none if all existed. */
  readonly applied: readonly number[];
  /** The number of the last step of the database now. */
  readonly latest: number;
}

/** Why a database was not migrated. */
export interface MigrationRefusal {
  /**
   * `newer`: by a later version of this library. `changed`: by other steps than these, for example
   * those of a version that cannot be upgraded.
   */
  readonly code: 'newer' | 'changed';
  readonly number: number;
  readonly message: string;
}

/** The checksum of a text. */
export function checksumOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** The checksum of a step: of its SQL in this library, or of its former SQL. */
export function checksumOfStep({ sql, checksum = checksumOf(sql) }: KnownMigration): string {
  return checksum;
}

/** The steps that a database lacks, in their order, or why it is not migrated. */
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
