import type { ContractRunner } from 'dealwright/spec';

/** Collects the cases of a contract instead of running them under a test runner. */
export function createCollectingRunner(): {
  readonly runner: ContractRunner;
  /**
   * Runs what was collected, and gives the names of the cases that failed; of the cases with one name
   * alone where it is said: which case finds a fault takes no run of the others.
   */
  readonly failures: (named?: string | RegExp) => Promise<readonly string[]>;
  /** Runs what was collected, and gives what the cases that failed say, by their names. */
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
