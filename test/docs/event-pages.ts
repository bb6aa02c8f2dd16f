import { eventExamples } from '../../adapters/http/openapi/examples.js';
import { postedEvents } from '../../adapters/http/openapi/webhooks.js';
import { type AnyShape, isList } from '../../adapters/http/wire/shape.js';

const code = (text: string) => `\`${text}\``;

/** What a member is, in the words of the page. */
function kindOf(shape: AnyShape | undefined): string {
  if (shape === undefined) return '';
  if (typeof shape === 'string') return shape;
  return isList(shape) ? `list of ${kindOf(shape[0])}` : 'object';
}

type Members = Readonly<Record<string, AnyShape>>;

function rowsOf(members: Members, isAlways: boolean): readonly string[] {
  return Object.entries(members).map(
    ([name, shape]) => `| ${code(name)} | ${kindOf(shape)} | ${isAlways ? 'yes' : 'no'} |`,
  );
}

function tableOf({ always, maybe }: { readonly always: Members; readonly maybe: Members }): string {
  const head = ['| Member of `data` | What it is | Always there |', '| --- | --- | --- |'];
  return [...head, ...rowsOf(always, true), ...rowsOf(maybe, false)].join('\n');
}

/** Every type of events: when it is emitted, what its data hold, and an example. */
export function eventSections(): string {
  return postedEvents
    .map(([type, row]) => {
      const json = JSON.stringify(eventExamples[type], undefined, 2);
      const tables = row.forms.map(tableOf).join('\n\nor\n\n');
      return `### ${type}\n\n${row.when}\n\n${tables}\n\n\`\`\`json\n${json}\n\`\`\`\n`;
    })
    .join('\n');
}
