import { describeCommands, describeStates, drawStates, lifecycle } from 'dealwright/life';
import { describe, expect, it } from 'vitest';
import { runHere } from './dealwright.js';

const diagrams = drawStates(lifecycle);

async function show(...flags: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(['lifecycle', ...flags]);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

describe('lifecycle', () => {
  it('shows the states and the commands of the table, without a service', async () => {
    const blocks = (await show()).trimEnd().split('\n\n');
    const kinds = Object.keys(diagrams);
    expect(blocks.map((block) => block.split('\n')[0])).toEqual([
      ...kinds,
      ...lifecycle.map(({ command }) => command),
    ]);
    expect(blocks[1]).toMatch(/^from +to +by\n- +pending +-\npending +submitted +deliver$/m);
    const cancel = blocks.filter((block) => block.startsWith('cancel\n'))[1];
    expect(cancel?.split('\n').slice(1)).toEqual([
      'by             operator',
      'from           created, accepted, delivered, changes_requested, approved, disputed',
      'guards         no payout is being processed (payout_processing)',
      'input          reason, [message]',
      'to             cancelled',
      'freelancer_to  removed',
      'event          deal.cancelled',
    ]);
  });

  it('says when a command of the clock is due, and what one counts as', async () => {
    const text = await show();
    expect(text).toContain('14 days after the payment was requested');
    expect(text).toMatch(/^counts_as +accept$/m);
    expect(text).toMatch(/^to +completed, unchanged$/m);
  });

  it('prints the diagrams', async () => {
    const printed = await show('--diagram');
    const fences = [...printed.matchAll(/^## (\w+)\n\n```mermaid\n([^`]+)```$/gm)];
    expect(Object.fromEntries(fences.map(([, kind, text]) => [kind, text]))).toEqual(diagrams);
  });

  it('prints one document of JSON', async () => {
    const states = describeStates(lifecycle);
    const commands = describeCommands(lifecycle);
    expect(JSON.parse(await show('--json'))).toEqual({ states, commands });
    expect(JSON.parse(await show('--json', '--diagram'))).toEqual(diagrams);
  });
});
