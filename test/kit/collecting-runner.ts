import type { ContractRunner } from 'dealwright/spec';

/** Collects the cases of a contract instead of running them under a test runner. */
export function createCollectingRunner(): {
  readonly runner: ContractRunner;
  /**
   * Runs the collected cases, and returns the laws of those that failed, with the variant of a law
   * that has several. With `law`, only its case runs: a fault needs no run of the others.
   */
  readonly failures: (law?: string) => Promise<readonly string[]>;
  /** Runs the collected cases, and returns the messages of those that failed, by law. */
  readonly reports: () => Promise<ReadonlyMap<string, string>>;
  readonly count: () => number;
} {
  const cases: { readonly law: string; readonly body: () => Promise<void> }[] = [];
  async function reports(only?: string): Promise<ReadonlyMap<string, string>> {
    const failed = new Map<string, string>();
    for (const { law, body } of cases) {
      if (only !== undefined && law !== only) continue;
      try {
        await body();
      } catch (error) {
        failed.set(law, error instanceof Error ? error.message : String(error));
      }
    }
    return failed;
  }
  return {
    runner: {
      describe: (_, body) => body(),
      it: (name, body) => cases.push({ law: lawOf(name), body }),
    },
    failures: async (law) => [...(await reports(law)).keys()],
    reports: () => reports(),
    count: () => cases.length,
  };
}

/** The law of a case, and its variant: what its name has before the sentence. */
function lawOf(name: string): string {
  return /^(\S+(?: \([^)]*\))?): /.exec(name)?.[1] ?? name;
}
