import {
  type Actor,
  type CommandDescription,
  describeCommands,
  lifecycle,
  methodOf,
} from 'dealwright/life';
import { allRoutes } from '../../adapters/http/wire/all-routes.js';

const code = (text: string) => `\`${text}\``;
const list = (all: readonly string[]) => all.map(code).join(', ');
const lines = (all: readonly string[]) => all.join('<br>');

interface Face {
  readonly actor: Actor;
  readonly method: (name: string) => string;
  readonly path: (command: string) => string;
}

const faces: readonly Face[] = [
  {
    actor: 'partner',
    method: (name) => `marketplace.partner(tenant).${name}`,
    path: (command) => `/api/2.0/deal/{partner_id}/${command}/`,
  },
  {
    actor: 'freelancer',
    method: (name) => `marketplace.freelancer(environment, payment_token).${name}`,
    path: (command) => `/api/2.0/offer/${command}/`,
  },
  {
    actor: 'operator',
    method: (name) => `marketplace.operator(environment).partner(partner).${name}`,
    path: (command) => `/operator/{partner}/deal/{partner_id}/${command}/`,
  },
];

/** Who gives a command without a face. */
const runs: Partial<Record<Actor, string>> = { clock: 'runTimers', payments: 'runEffects' };
const paths: ReadonlySet<string> = new Set(allRoutes().map(({ path }) => path));

function ways({ by }: CommandDescription, show: (face: Face) => string): string {
  const isForFreelancer = by.includes('freelancer') && !by.includes('partner');
  const own = faces.flatMap((face) => {
    if (by.includes(face.actor)) return [show(face)];
    return face.actor === 'partner' && isForFreelancer
      ? [`${show(face)} (deals of version 1.0)`]
      : [];
  });
  return own.length === 0 ? 'none' : lines(own);
}

function httpOf(row: CommandDescription): string {
  return ways(row, ({ path }) => {
    const own = path(row.command);
    if (!paths.has(own)) throw new Error(`no face has the path ${own}`);
    return code(`POST ${own}`);
  });
}

function inProcess(row: CommandDescription): string {
  const called = ways(row, ({ method }) => code(method(methodOf(row.command))));
  const ran = row.by.flatMap((actor) => {
    const name = runs[actor];
    return name === undefined ? [] : [code(`marketplace.operator(environment).${name}`)];
  });
  return lines([...(called === 'none' ? [] : [called]), ...ran]);
}

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
  'In process': inProcess,
  'Over HTTP': httpOf,
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
