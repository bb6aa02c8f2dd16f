import type { ContractRunner } from 'dealwright/spec';

/** Collects the cases of a contract instead of running them under a test runner. */
export function createCollectingRunner(): {
  readonly runner: ContractRunner;
  /**
   * Runs the collected cases, and returns the names of those that failed. With `named`, only the
   * cases of that name run: a fault needs no run of the others.
   */
  readonly failures: (named?: string | RegExp) => Promise<readonly string[]>;
  /** Runs the collected cases, and returns the messages of those that failed, by name. */
  readonly reports: () => Promise<ReadonlyMap<string, string>>;
  readonly count: () => number;
} {
  const cases: { readonly name: string; readonly body: () => Promise<void> }[] = [];
  async function reports(named?: string | RegExp): Promise<ReadonlyMap<string, string>> {
    const failed = new Map<string, string>();
    const isMeant = (name: string) =>
      typeof named === 'string' ? name === named : (named?.test(name) ?? true);
    for (const { name, body } of cases.filter((each) => isMeant(each.name))) {
      try {
        await body();
      } catch (error) {
        failed.set(name, error instanceof Error ? error.message : String(error));
      }
    }
    return failed;
  }
  return {
    runner: {
      describe: (_, body) => body(),
      it: (name, body) => cases.push({ name, body }),
    },
    failures: async (named) => [...(await reports(named)).keys()],
    reports: () => reports(),
    count: () => cases.length,
  };
}
