import { words } from './failure.js';
import { money } from './format.js';
import type { Difference, StageTerms } from './terms.js';

/** The terms of now beside the proposed ones. */
export function Changes(props: {
  readonly of: readonly Difference[];
  readonly currency: string;
  /** The words for what the freelancer gets, and for a kind of copyright transfer. */
  readonly net?: string;
  readonly rightsOf: (value: string) => string;
}) {
  const { changes } = words();
  return (
    <table class="changes">
      <thead>
        <tr>
          <th scope="col">{changes.field}</th>
          <th scope="col">{changes.before}</th>
          <th scope="col">{changes.after}</th>
        </tr>
      </thead>
      <tbody>
        {props.of.map((each) => (
          <Row key={each.id} {...props} {...each} />
        ))}
      </tbody>
    </table>
  );
}

function Row(
  props: Difference & {
    readonly currency: string;
    readonly net?: string;
    readonly rightsOf: (value: string) => string;
  },
) {
  const { field, name, before, after, currency, net, rightsOf } = props;
  const { changes } = words();
  const show = (value: StageTerms | string | undefined) => {
    if (value === undefined) return changes.nothing;
    if (typeof value !== 'string') {
      const { budget, work_days } = value;
      const days = work_days === null ? '' : `, ${changes.days(String(work_days))}`;
      const terms = money(budget, currency) + days;
      return value.name === name ? terms : <bdi class="said">{`${value.name}: ${terms}`}</bdi>;
    }
    if (field === 'rights') return rightsOf(value);
    const isMoney = field === 'net' || field === 'gross';
    return isMoney ? money(value, currency) : <bdi class="said">{value}</bdi>;
  };
  return (
    <tr class={field === 'net' ? 'strong' : ''}>
      <th scope="row">
        {field === 'stage' ? <bdi>{name}</bdi> : field === 'net' ? net : changes.fields[field]}
      </th>
      <td data-label={changes.before}>{show(before)}</td>
      <td data-label={changes.after}>{show(after)}</td>
    </tr>
  );
}
