import {
  type CommandDescription,
  describeCommands,
  describeStates,
  drawStates,
  lifecycle,
  type States,
} from 'dealwright/life';
import type { Flags } from './fields.js';
import { printableJson } from './printable.js';
import { formatRecord, formatTable } from './table.js';

/** Prints the life cycle that this program serves: its table, or its diagrams as Markdown. */
export async function showLifecycle(process: NodeJS.Process, flags: Flags): Promise<number> {
  const { stdout } = process;
  const width = stdout.isTTY ? stdout.columns : undefined;
  const states = describeStates(lifecycle);
  const commands = describeCommands(lifecycle);
  const diagrams = drawStates(lifecycle);
  const [data, texts] =
    flags.diagram === true
      ? [diagrams, Object.entries(diagrams).map(fenced)]
      : [
          { states, commands },
          [
            ...Object.entries(states).map(([kind, own]) => `${kind}\n${table(own, width)}`),
            ...commands.map((row) => `${row.command}\n${formatRecord(recordOf(row), width)}`),
          ],
        ];
  const text = flags.json === true ? `${printableJson(data, 2)}\n` : texts.join('\n');
  await new Promise((resolve) => stdout.write(text, resolve));
  return 0;
}

/** Markdown viewers draw it; a file of Mermaid contains only one diagram. */
function fenced([kind, diagram]: [string, string]): string {
  return `## ${kind}\n\n\`\`\`mermaid\n${diagram}\`\`\`\n`;
}

function table({ start, moves }: States, width: number | undefined): string {
  const rows = moves.map(({ from, to, by }) => [from, to, by]);
  const head = ['from', 'to', 'by'];
  return formatTable([['', start, ''], ...rows], { head, flexible: 2, wrap: true, width });
}

function recordOf(row: CommandDescription): object {
  const { by, from, stage, freelancer, guards, input, to, mayStay } = row;
  return {
    by,
    ...(row.due !== undefined && { due: row.due }),
    from,
    ...(row.countsAs !== undefined && { counts_as: row.countsAs }),
    ...(freelancer && { freelancer_from: freelancer }),
    ...(stage && { stage_from: stage.from }),
    guards: guards.map(({ reason, says }) => `${says} (${reason})`).join('; '),
    input: input.map(({ name, required }) => (required ? name : `[${name}]`)),
    to: mayStay ? [...to, 'unchanged'] : to,
    ...(row.freelancerTo !== undefined && { freelancer_to: row.freelancerTo }),
    ...(row.stageTo.length > 0 && { stage_to: row.stageTo }),
    event: row.event,
  };
}
