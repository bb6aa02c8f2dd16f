import { unavailable } from 'dealwright/ports';
import { paymentTokenIssuerContract } from 'dealwright/spec';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { brokenIssuers, issuerWith } from '../kit/broken-issuers.js';
import { createCollectingRunner } from '../kit/collecting-runner.js';

describe('the contract of payment token issuers', () => {
  it('passes an issuer without a fault', async () => {
    const { runner, failures, count } = createCollectingRunner();
    paymentTokenIssuerContract(
      runner,
      issuerWith(() => ({})),
    );
    expect(await failures()).toEqual([]);
    expect(count()).toBeGreaterThan(15);
  });

  it.each(Object.entries(brokenIssuers))(
    'finds an issuer that %s',
    async (_, { make, foundBy }) => {
      const { runner, failures } = createCollectingRunner();
      paymentTokenIssuerContract(runner, make);
      expect(await failures(foundBy)).toEqual([foundBy]);
    },
  );

  it('finds one that cannot issue, and one that gives no verdict, in every case', async () => {
    const down = () => unavailable({ outcome: 'none' });
    for (const part of [{ issue: down }, { issue: () => Promise.reject(new Error('down')) }]) {
      const { runner, failures, count } = createCollectingRunner();
      paymentTokenIssuerContract(
        runner,
        issuerWith(() => part),
      );
      expect(await failures()).toHaveLength(count());
    }
    const { runner, failures, count } = createCollectingRunner();
    paymentTokenIssuerContract(
      runner,
      issuerWith(() => ({ verify: down })),
    );
    // all cases except those of issuing and of the owner of a token
    expect(await failures()).toHaveLength(count() - 6);
  });

  it('shows no token if it finds a fault', async () => {
    const messages: string[] = [];
    const cases: (() => Promise<void>)[] = [];
    const token = 'this-token-is-a-secret/and-no-token';
    paymentTokenIssuerContract(
      { describe: (_, body) => body(), it: (_, body) => cases.push(body) },
      issuerWith(() => ({ issue: async () => ok(token) })),
    );
    for (const body of cases) {
      await body().catch((error: unknown) => messages.push(String(error)));
    }
    expect(messages.length).toBeGreaterThan(cases.length / 2);
    expect(messages.join('\n')).not.toContain(token);
  });

  it('closes the subject of every case, though the case fails', async () => {
    let open = 0;
    const { runner, failures, count } = createCollectingRunner();
    paymentTokenIssuerContract(runner, () => {
      open += 1;
      return {
        ...issuerWith(() => ({ issue: () => Promise.reject(new Error('down')) }))(),
        close: async () => {
          open -= 1;
        },
      };
    });
    expect(await failures()).toHaveLength(count());
    expect(open).toBe(0);
  });

  it('refuses a runner that is not one: a suite without a case would pass', () => {
    const define = () =>
      paymentTokenIssuerContract(
        {} as never,
        issuerWith(() => ({})),
      );
    expect(define).toThrow(TypeError);
  });
});
