import { type CommandDescription, describeCommands, lifecycle } from 'dealwright/life';

const code = (text: string) => `\`${text}\``;
const list = (all: readonly string[]) => all.map(code).join(', ');
const lines = (all: readonly string[]) => all.join('<br>');

function inputOf({ input }: CommandDescription): string {
  const members = input.map(({ name, required, allowed = [] }) => {
    const values = allowed.length === 0 ? '' : ` (${list(allowed)})`;
    return `${code(name)}${required ? ', required' : ''}${values}`;
  });
  return members.length === 0 ? 'none' : lines(members);
}

const properties: Readonly<Record<string, (row: CommandDescription) => string>> = {
  'The deal is': ({ from }) => list(from),
  'The freelancer is': ({ freelancer = [] }) => list(freelancer),
  'The stage is': ({ stage }) => list(stage?.from ?? []),
  Due: ({ due = '' }) => due,
  'Guards: reason of the refusal': ({ guards }) =>
    lines(guards.map(({ reason, says }) => `${says}: ${code(reason)}`)),
  Input: inputOf,
  'Counts as': ({ countsAs }) => list(countsAs === undefined ? [] : [countsAs]),
  'The deal becomes': ({ to, mayStay }) =>
    [...to.map(code), ...(mayStay ? ['or keeps its state'] : [])].join(', ').replace(/^or /, ''),
  'The freelancer becomes': ({ freelancerTo }) =>
    list(freelancerTo === undefined ? [] : [freelancerTo]),
  'The stage becomes': ({ stageTo }) => list(stageTo),
  Event: ({ event }) => (event === undefined ? 'those of payments' : code(event)),
};

function section(command: string, rows: readonly CommandDescription[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const shown = Object.entries(properties).flatMap(([name, cellOf]) => {
    const cells = rows.map(cellOf);
    return cells.every((cell) => cell === '')
      ? []
      : [line([name, ...cells.map((cell) => cell || '-')])];
  });
  const head = ['By', ...rows.map(({ by }) => by.join(', '))];
  return [`## ${command}`, '', line(head), line(head.map(() => '---')), ...shown].join('\n');
}

/** The reference of the commands: a table for each, with a column for each row of the life cycle. */
export function commandSections(): string {
  const rows = describeCommands(lifecycle);
  return [...new Set(rows.map(({ command }) => command))]
    .map((command) =>
      section(
        command,
        rows.filter((row) => row.command === command),
      ),
    )
    .join('\n\n');
}
