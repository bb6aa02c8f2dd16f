import { spawnSync } from 'node:child_process';

/**
 * Sees to it that packages of Debian are installed, and installs those that are not, where it may.
 * Several test files may ask at once: the lock of the package manager lets one after the other in.
 */
export function ensurePackages(...packages: readonly string[]): void {
  const missing = packages.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0) {
    throw new Error(`these tests need packages of Debian; as root: ${command}`);
  }
  const install = () =>
    apt('install', '-y', '--no-install-recommends', '-o', 'Dpkg::Use-Pty=0', ...missing);
  // the lists of packages of a fresh system are empty or old
  let failure = install();
  if (failure !== undefined) failure = apt('update') ?? install();
  const lost = missing.filter((name) => !isInstalled(name));
  if (lost.length > 0) {
    throw new Error(`could not install ${lost.join(', ')}: ${failure ?? 'no reason was given'}`);
  }
}

function isInstalled(name: string): boolean {
  const { stdout } = spawnSync('dpkg-query', ['--status', name], { encoding: 'utf8' });
  return /^Status: install ok installed$/m.test(stdout);
}

/** What went wrong, if anything did. */
function apt(...args: readonly string[]): string | undefined {
  const { status, stderr, error } = spawnSync(
    'apt-get',
    ['-q', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3', ...args],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_MODE: 'a' },
      timeout: 10 * 60 * 1000,
    },
  );
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : stderr.trim().slice(-2000) || `apt-get ended with ${status}`;
}
