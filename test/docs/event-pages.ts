import { eventExamples } from '../../adapters/http/openapi/examples.js';
import { postedEvents } from '../../adapters/http/openapi/webhooks.js';
import { type AnyShape, isList } from '../../adapters/http/wire/shape.js';

const code = (text: string) => `\`${text}\``;

/** The kind of a member, in the words of the page. */
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

/** The subjects of types with the same members of data, by the first of these types. */
const titles: Readonly<Record<string, string>> = {
  'contractor.registered': 'A contractor',
  'deal.created': 'A new deal',
  'work_file.stored': 'A work file',
  'deal.invited': 'The life of a deal',
  'proposal.created': 'A proposal',
  'employer_payment.requested': 'A payment of the employer',
  'employer_payment.failed': 'A payment of the employer that failed',
  'contractor_payment.scheduled': 'A payout',
  'contractor_payment.waiting': 'A payout that waits',
  'contractor_payment.failed': 'A payout that failed',
  'webhook.created': 'A webhook',
  'webhook.test': 'A test of a webhook',
};

/** JSON on one line, with spaces at which it may break. */
const lineOf = (data: object) =>
  code(
    JSON.stringify(data, undefined, 1)
      .replace(/\n */g, ' ')
      .replace(/([[{]) | ([\]}])/g, '$1$2'),
  );

/** An event as it is in a feed, and as it is posted. */
export function wholeEvent(): string {
  return `\`\`\`json\n${JSON.stringify(eventExamples['deal.delivered'], undefined, 2)}\n\`\`\``;
}

/** Every type of events: when it is emitted, the members of its data, and an example of them. */
export function eventSections(): string {
  const groups = new Map<string, string[]>();
  for (const [type, { when, forms }] of postedEvents) {
    const tables = forms.map(tableOf).join('\n\nor\n\n');
    const { actor, data } = Object(eventExamples[type]);
    const row = `| ${code(type)} | ${when} | ${code(actor)} | ${lineOf(data)} |`;
    groups.set(tables, [...(groups.get(tables) ?? [titleOf(type)]), row]);
  }
  return [...groups]
    .map(([tables, [title, ...rows]]) => {
      const head = [
        '| Type | When | Actor, for example | `data`, for example |',
        '| --- | --- | --- | --- |',
      ];
      return `### ${title}\n\n${[...head, ...rows].join('\n')}\n\n${tables}\n`;
    })
    .join('\n');
}

function titleOf(type: string): string {
  const title = titles[type];
  if (title === undefined) throw new Error(`the page has no title for what ${type} begins`);
  return title;
}
