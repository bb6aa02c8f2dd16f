import type { ContractRunner } from 'dealwright/testing';

/** Collects the cases of a contract instead of running them under a test runner. */
export function createCollectingRunner(): {
  readonly runner: ContractRunner;
  /** Runs what was collected, and gives the names of the cases that failed. */
  readonly failures: () => Promise<readonly string[]>;
  /** Runs what was collected, and gives what the cases that failed say, by their names. */
  readonly reports: () => Promise<ReadonlyMap<string, string>>;
  readonly count: () => number;
} {
  const cases: { readonly name: string; readonly body: () => Promise<void> }[] = [];
  async function reports(): Promise<ReadonlyMap<string, string>> {
    const failed = new Map<string, string>();
    for (const { name, body } of cases) {
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
    failures: async () => [...(await reports()).keys()],
    reports,
    count: () => cases.length,
  };
}
