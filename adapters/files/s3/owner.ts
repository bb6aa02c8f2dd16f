import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type FileOwner, isUlid, type PortFailure } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { ownerName } from '../place.js';
import { ask, failed, type S3Failure } from './exchange.js';
import type { S3Settings } from './options.js';
import { readKeys } from './xml.js';

/** Milliseconds after which all simultaneous claims are written. */
const settling = 1_000;

function pause({ timer }: S3Settings): Promise<void> {
  return new Promise((resolve) => {
    timer.sleep(settling, resolve);
  });
}

/** The places of contents, below the prefix. */
const places = ['production/', 'sandbox/'] as const;

/** Keeps the id of a store in an object beside the contents. */
export function createS3Owner(settings: S3Settings): FileOwner {
  const key = `${settings.prefix}${ownerName}`;
  const find = async (): Promise<Result<string | undefined, PortFailure>> => {
    const found = await ask(settings, { method: 'GET', key });
    if (found.isErr()) {
      const { status, s3Code } = found.error;
      const isMissing = status === 404 && s3Code !== 'NoSuchBucket';
      return isMissing ? ok(undefined) : failed(found.error, 'none');
    }
    const id = found.value.text.trim();
    return isUlid(id) ? ok(id) : failed({ reason: 'malformed_answer', status: 200 }, 'none');
  };
  const keep = (store: string, headers: Readonly<Record<string, string>>) => {
    const bytes = utf8ToBytes(`${store}\n`);
    const body = new Blob([bytes]);
    const digest = bytesToHex(sha256(bytes));
    return ask(settings, { method: 'PUT', key, body, sha256: digest, headers });
  };
  const hasContents = async (): Promise<Result<boolean, S3Failure>> => {
    for (const place of places) {
      const prefix = `${settings.prefix}${place}`;
      const query = { 'list-type': '2', 'encoding-type': 'url', 'max-keys': '1', prefix };
      const page = await ask(settings, { method: 'GET', key: '', query });
      if (page.isErr()) return err(page.error);
      const read = readKeys(page.value.text);
      if (read === undefined) return err({ reason: 'malformed_answer', status: 200 });
      if (read.keys.length > 0) return ok(true);
    }
    return ok(false);
  };
  return {
    async read() {
      const found = await find();
      if (found.isErr()) return err(found.error);
      if (found.value !== undefined) return ok({ store: found.value });
      const filled = await hasContents();
      if (filled.isErr()) return failed(filled.error, 'none');
      return ok(filled.value ? 'unknown' : 'empty');
    },
    async claim(store) {
      const before = await find();
      if (before.isErr()) return err(before.error);
      if (before.value !== undefined) return ok(before.value);
      let put = await keep(store, { 'if-none-match': '*' });
      if (put.isErr() && put.error.status === 501) {
        // without conditional writes of the service, the last claim within a second wins
        put = await keep(store, {});
        await pause(settings);
      }
      // 412 and 409: another claim came first
      if (put.isErr() && put.error.status !== 412 && put.error.status !== 409) {
        return failed(put.error, 'unknown');
      }
      return (await find()).map((kept) => kept ?? store);
    },
    async replace(store) {
      const put = await keep(store, {});
      return put.isErr() ? failed(put.error, 'unknown') : ok('replaced');
    },
  };
}
