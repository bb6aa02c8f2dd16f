// @ts-check
// Puts 1 MiB in 64 pieces into a folder store. Prints a line at each piece, at the end of the
// content, and with the answer. Given an unprivileged user, it runs as that user.
import { createFolderFileStore } from 'dealwright/files';

const [folder = '', id = '', user] = process.argv.slice(2);
const store = createFolderFileStore({ folder });
if (user !== undefined && process.getuid?.() === 0) process.seteuid?.(Number(user));
let isEnded = false;

async function* content() {
  try {
    for (let number = 0; number < 64; number += 1) {
      console.log(`piece ${number}`);
      // a process that is killed at the last piece must not have ended before
      await new Promise((resolve) => setTimeout(resolve, number === 63 ? 2_000 : 1));
      yield new Uint8Array(16 * 1024).fill(number);
    }
  } finally {
    isEnded = true;
  }
}

const result = await store.put({ environment: 'sandbox', partner: 'acme' }, id, content());
const { retryable, outcome, cause } = result.isErr() ? result.error : {};
const { code } = Object(cause);
console.log(JSON.stringify({ ok: result.isOk(), retryable, outcome, code, isEnded }));
