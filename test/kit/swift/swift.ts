import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { AwsClient } from 'aws4fetch';
import type { S3FileStoreOptions } from 'dealwright/s3';
import { ensurePackages } from '../debian.js';

const serve = fileURLToPath(new URL('serve.py', import.meta.url));
const [accessKeyId, secretAccessKey, region] = ['test:tester', 'a-secret-of-the-tests', 'eu-test'];

/** An independent S3 service that checks every signature: OpenStack Swift. */
export interface Swift {
  /** The options of the service, without a bucket. */
  readonly options: Omit<S3FileStoreOptions, 'bucket'>;
  /** Makes a new bucket, and returns its name. */
  makeBucket(): Promise<string>;
  /** Sends a signed request to a bucket that a store would not send. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts it over an empty folder, on a free port of this machine. */
export async function startSwift(): Promise<Swift> {
  ensurePackages('python3-swift');
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-swift-'));
  // Debian's own Python: another one in the path has none of Debian's packages
  const child = spawn(
    '/usr/bin/python3',
    ['-W', 'ignore', serve, folder, accessKeyId, secretAccessKey, region],
    { stdio: ['pipe', 'pipe', 'pipe'], env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' } },
  );
  const stop = async () => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const endpoint = `http://127.0.0.1:${await portOf(child)}`;
    const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
    const ask = (path: string, init?: RequestInit) => aws.fetch(`${endpoint}/${path}`, init);
    let buckets = 0;
    return {
      options: { endpoint, region, accessKeyId, secretAccessKey },
      async makeBucket() {
        buckets += 1;
        const bucket = `bucket-${buckets}`;
        const { status } = await ask(bucket, { method: 'PUT' });
        if (status !== 200) throw new Error(`no bucket: ${status}`);
        return bucket;
      },
      ask,
      stop,
    };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** The port is the first line of its output. */
async function portOf(child: Child): Promise<number> {
  let errors = '';
  child.stderr.on('data', (text) => {
    errors = `${errors}${text}`.slice(-4000);
  });
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error(`Swift did not start: ${errors}`);
    }),
  ]);
  return Number(String(line));
}

/** It ends with its standard input, or else it is killed. */
async function end(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.stdin.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await gone;
  clearTimeout(timer);
}
