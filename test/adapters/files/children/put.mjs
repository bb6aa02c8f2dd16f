// @ts-check
// Puts 1 MiB in 64 pieces into a folder store, and prints a line at each piece, at the end of the
// content, and with the answer. With an unprivileged user it is that user who puts.
import { createFolderFileStore } from 'dealwright/files';

const [folder = '', id = '', user] = process.argv.slice(2);
const store = createFolderFileStore({ folder });
if (user !== undefined && process.getuid?.() === 0) process.seteuid?.(Number(user));
let isEnded = false;

async function* content() {
  try {
    for (let number = 0; number < 64; number += 1) {
      console.log(`piece ${number}`);
      // who is killed at the last piece is not to be done before that
      await new Promise((resolve) => setTimeout(resolve, number === 63 ? 500 : 1));
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
