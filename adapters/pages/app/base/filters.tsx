import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type Choice, Field } from './components.js';
import { goTo, hrefOf, route } from './route.js';
import { words } from './screen-words.js';

/** What a list is filtered by: it is in the address, so that a reload and a bookmark keep it. */
export function Filters(props: {
  readonly section: string;
  readonly errors: Readonly<Record<string, string>> | undefined;
  readonly of: readonly {
    readonly name: string;
    readonly label: string;
    readonly type?: 'date';
    readonly choices?: readonly Choice[];
  }[];
}) {
  const { section, errors = {}, of } = props;
  const { filter } = words();
  const { query } = route.value;
  const texts = useMemo(
    () => Object.fromEntries(of.map(({ name }) => [name, signal(query.get(name) ?? '')])),
    [`${query}`],
  );
  return (
    <details class="card filters" open={query.size > 0}>
      <summary>{filter.heading}</summary>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const given = Object.entries(texts).map(([name, { value }]) => [name, value.trim()]);
          goTo(hrefOf([section], Object.fromEntries(given)));
        }}
      >
        <div class="pair">
          {of.map(({ name, ...field }) => (
            <Field key={name} {...field} text={texts[name] ?? signal('')} error={errors[name]} />
          ))}
        </div>
        <div class="actions">
          <button type="submit">{filter.apply}</button>
          {query.size > 0 && <a href={hrefOf([section])}>{filter.clear}</a>}
        </div>
      </form>
    </details>
  );
}
