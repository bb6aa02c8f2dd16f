import type { ApiToken } from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import type { ComponentChildren } from 'preact';
import { Card } from './components.js';
import type { CallError } from './failure.js';
import { Moment } from './format.js';
import { type Column, Rows, useList } from './list.js';
import { words } from './screen-words.js';

/** The API tokens of a partner; nothing if the host does not list them. */
export function Tokens(props: {
  readonly partner: string;
  readonly read: () => ResultAsync<readonly ApiToken[], CallError>;
  readonly children: ComponentChildren;
}) {
  const of = words();
  const list = useList(props.partner, () =>
    props.read().map((results) => ({ results, next: null })),
  );
  if (list.failure.value?.isMissing === true) return null;
  const at = (name: string, member: 'created_at' | 'last_used_at', none: string) =>
    [
      name,
      (token) => token[member] ?? '',
      ({ [member]: time }) => (time === null ? none : <Moment at={time} />),
    ] satisfies Column<ApiToken>;
  return (
    <Card title={of.tokens.heading}>
      <Rows
        list={list}
        name={of.tokens.heading}
        columns={[
          [of.tokens.name, ({ name }) => name, ({ name }) => <span dir="auto">{name}</span>],
          [
            of.tokens.start,
            ({ start }) => start ?? '',
            ({ start }) => (start === null ? of.tokens.unknown : <code dir="ltr">{start}…</code>),
          ],
          at(of.made, 'created_at', of.tokens.unknown),
          at(of.tokens.used, 'last_used_at', of.tokens.unused),
        ]}
      >
        {props.children}
      </Rows>
    </Card>
  );
}
