import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePackages } from './debian.js';

const [versions, policy] = ['/usr/lib/postgresql', '/etc/postgresql-common/createcluster.d'];

/** The programs of PostgreSQL 15 or later: installed ones, or else Debian's, installed now. */
export function postgresPrograms(): string {
  const found = newest();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0) {
    // Debian would also create and start a cluster of the system
    mkdirSync(policy, { recursive: true });
    writeFileSync(join(policy, 'dealwright-tests.conf'), 'create_main_cluster = false\n');
  }
  ensurePackages('postgresql-15');
  const installed = newest();
  if (installed === undefined) throw new Error(`postgresql-15 left no programs in ${versions}`);
  return installed;
}

function newest(): string | undefined {
  const [version] = (existsSync(versions) ? readdirSync(versions) : [])
    .map(Number)
    .filter((each) => each >= 15 && existsSync(join(versions, String(each), 'bin/postgres')))
    .sort((a, b) => b - a);
  return version === undefined ? undefined : join(versions, String(version), 'bin');
}

/** The account of the server: PostgreSQL refuses root, and Debian has an account for it. */
export function postgresAccount(): { readonly uid: number; readonly gid: number } {
  const [uid = 0, gid = 0] = [process.getuid?.(), process.getgid?.()];
  return uid === 0 ? { uid: numberOf('-u'), gid: numberOf('-g') } : { uid, gid };
}

function numberOf(which: '-u' | '-g'): number {
  const { stdout } = spawnSync('id', [which, 'postgres'], { encoding: 'utf8' });
  if (!/^[1-9]\d*\n$/.test(stdout)) throw new Error('there is no account "postgres"');
  return Number(stdout);
}
