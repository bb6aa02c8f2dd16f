// @ts-check
import { createServer } from 'node:net';

/** @param {number} milliseconds */
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * The result of the work, or a rejection after this time.
 *
 * @template T
 * @param {number} milliseconds
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
export async function within(milliseconds, work) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await /** @type {Promise<T>} */ (Promise.race([work, late]));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A free port of this machine.
 *
 * @returns {Promise<number>}
 */
export function findPort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });
}
