import { words } from './failure.js';
import { money } from './format.js';
import { wordOf } from './language.js';
import type { Difference } from './terms.js';

export function Changes(props: {
  readonly of: readonly Difference[];
  readonly currency: string;
  /** The words for each kind of copyright transfer. */
  readonly rights: object;
}) {
  const { currency, rights } = props;
  const { changes } = words();
  const show = ({ field, name }: Difference, value: Difference['before']) => {
    if (value === undefined) return changes.nothing;
    if (typeof value !== 'string') {
      const { budget, work_days } = value;
      const days = work_days === null ? '' : `, ${changes.days(String(work_days))}`;
      const terms = money(budget, currency) + days;
      return value.name === name ? terms : <bdi class="said">{`${value.name}: ${terms}`}</bdi>;
    }
    if (field === 'rights') return wordOf(rights, value);
    const isMoney = field === 'net' || field === 'gross';
    return isMoney ? money(value, currency) : <bdi class="said">{value}</bdi>;
  };
  return (
    <table class="changes">
      <thead>
        <tr>
          {[changes.field, changes.before, changes.after].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.of.map((each) => (
          <tr key={each.id} class={each.field === 'net' ? 'strong' : ''}>
            <th scope="row">
              <bdi>{each.name ?? wordOf(changes.fields, each.field)}</bdi>
            </th>
            <td data-label={changes.before}>{show(each, each.before)}</td>
            <td data-label={changes.after}>{show(each, each.after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
