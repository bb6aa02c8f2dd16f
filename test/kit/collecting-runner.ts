import type { ContractRunner } from 'dealwright/testing';

/** Collects the cases of a contract instead of running them under a test runner. */
export function createCollectingRunner(): {
  readonly runner: ContractRunner;
  /** Runs what was collected, and gives the names of the cases that failed. */
  readonly failures: () => Promise<readonly string[]>;
  readonly count: () => number;
} {
  const cases: { readonly name: string; readonly body: () => Promise<void> }[] = [];
  return {
    runner: {
      describe: (_, body) => body(),
      it: (name, body) => cases.push({ name, body }),
    },
    async failures() {
      const failed: string[] = [];
      for (const { name, body } of cases) {
        try {
          await body();
        } catch {
          failed.push(name);
        }
      }
      return failed;
    },
    count: () => cases.length,
  };
}
