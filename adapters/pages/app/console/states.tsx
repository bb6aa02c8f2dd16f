import type { DomainEvent } from 'dealwright';
import { Card } from '../base/components.js';
import { Moment } from '../base/format.js';
import { wordOf } from '../base/language.js';
import { textIn } from '../base/terms.js';
import { ways } from './ways.js';
import { words } from './words.js';

/** Where a deal is, was, and can go: the way to its end in one line, and what leads off it below. */
export function States(props: {
  readonly deal: { readonly status: string; readonly created_at: string };
  readonly events: readonly DomainEvent[];
}) {
  const { deal, events } = props;
  const { status: now, created_at } = deal;
  // a host has states of its own
  const all = new Set<string>([...Object.keys(ways), now]);
  const { states, status: names } = words();
  // when each was reached last
  const reached = new Map<string, string>([['created', created_at]]);
  let last = 'created';
  for (const event of events) {
    const status = textIn(event, 'status');
    if (!event.type.startsWith('deal.') || status === undefined || status === last) continue;
    reached.set(status, event.at);
    last = status;
  }
  return (
    <Card title={states.heading}>
      <ol class="states">
        {[...all].map((each) => {
          const at = reached.get(each);
          return (
            <li
              key={each}
              class={at === undefined ? '' : 'been'}
              {...(each === now && { 'aria-current': 'step' as const })}
            >
              <span>{wordOf(names, each)}</span>
              {each === now && <span class="unseen">{states.now}</span>}
              {at !== undefined && <Moment at={at} />}
              {ways[now]?.includes(each) === true && <span>{states.next}</span>}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
