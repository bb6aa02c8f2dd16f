/** Repeats a piece of work, with a number in flight, and returns how many milliseconds it took. */
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
