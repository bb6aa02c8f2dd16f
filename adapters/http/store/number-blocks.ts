import type { Environment, PortFailure, Store } from 'dealwright/ports';
import { ok, type Result } from 'neverthrow';

type Reserved = Result<number, PortFailure>;

interface Block {
  next: number;
  left: number;
  filling: Promise<Reserved> | undefined;
}

/** Reserves integers in blocks, so that most creates need not wait for one. */
export function createNumberBlocks(
  ask: (environment: Environment, count: number) => Promise<Reserved>,
  size: number,
): Store['reserve'] {
  const empty = (): Block => ({ next: 0, left: 0, filling: undefined });
  const blocks: Record<Environment, Block> = { production: empty(), sandbox: empty() };

  async function fill(environment: Environment): Promise<Reserved> {
    const block = blocks[environment];
    const first = await ask(environment, size);
    block.filling = undefined;
    if (first.isOk()) Object.assign(block, { next: first.value, left: size });
    return first;
  }

  return async (environment, count) => {
    const block = blocks[environment];
    if (count > size) return ask(environment, count);
    while (block.left < count) {
      block.filling ??= fill(environment);
      const filled = await block.filling;
      // if no whole block is left, there may be a part of one
      if (filled.isErr()) return filled.error.retryable ? filled : ask(environment, count);
    }
    block.left -= count;
    block.next += count;
    return ok(block.next - count);
  };
}
