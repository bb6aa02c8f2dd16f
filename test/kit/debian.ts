import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Installs packages of Debian that are missing, if it may. Several test files may ask at once: a
 * lock admits one after the other, because `apt-get update` does not wait for others.
 */
export function ensurePackages(...packages: readonly string[]): void {
  const missing = packages.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const install = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0) {
    throw new Error(`packages of Debian are missing; as root: ${install}`);
  }
  // the lists of packages of a fresh system are empty or old
  const script = `${patient(install)} || { ${patient('apt-get update')} && ${patient(install)}; }`;
  const { stderr, error } = spawnSync(
    'flock',
    [join(tmpdir(), 'dealwright-apt.lock'), 'sh', '-c', script],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_MODE: 'a' },
      timeout: 10 * 60 * 1000,
    },
  );
  const lost = missing.filter((name) => !isInstalled(name));
  if (lost.length > 0) {
    const reason = error?.message ?? stderr.trim().slice(-2000);
    throw new Error(`could not install ${lost.join(', ')}: ${reason}`);
  }
}

/**
 * Installs a server if its program is missing, and stops the system service that comes with it: each
 * test starts its own.
 */
export function ensureServer(program: string, name: string): void {
  if (existsSync(program)) return;
  ensurePackages(name);
  spawnSync('service', [name, 'stop']);
  spawnSync('update-rc.d', [name, 'disable']);
}

function isInstalled(name: string): boolean {
  const { stdout } = spawnSync('dpkg-query', ['--status', name], { encoding: 'utf8' });
  return /^Status: install ok installed$/m.test(stdout);
}

/** The command; it waits for other installations, and tries again if a mirror fails. */
function patient(command: string): string {
  const options = '-q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -o Dpkg::Use-Pty=0';
  return command.replace('apt-get', `apt-get ${options}`);
}
