/** Does a piece of work so often, with so many in flight, and answers how many milliseconds it took. */
export async function repeat(count, inFlight, work) {
  let left = count;
  const goOn = async () => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: inFlight }, goOn));
  return performance.now() - begin;
}
