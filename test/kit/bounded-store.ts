import {
  type Kind,
  type LongestKey,
  longestIndexed,
  longestKeys,
  type Store,
  shapeOf,
  unavailable,
} from 'dealwright/ports';
import { errAsync } from 'neverthrow';

/**
 * The same store, which refuses a write that no real data makes: with a key, a value of an index or
 * a name of a tenant that is longer than the guide for authors of stores says.
 */
export function bounded<S extends Pick<Store, 'commit'>>(store: S): S {
  return {
    ...store,
    commit(tenant, write) {
      const found = [
        ...problemOf('the partner', tenant.partner, { characters: 128, bytes: 512 }),
        ...write.expect.flatMap((each) => {
          if ('absent' in each) return keyProblem(each.absent, each.key);
          if ('present' in each) return keyProblem(each.present, each.key);
          const above = shapeOf(each.fewer).under?.kind as Kind | undefined;
          return above === undefined ? [] : keyProblem(above, Object(each).under ?? '');
        }),
        ...write.insert.flatMap(({ kind, row }) => rowProblems(kind, row)),
        ...write.change.flatMap(({ kind, key, set }) => [
          ...keyProblem(kind, key),
          ...rowProblems(kind, set),
        ]),
        ...write.events.flatMap((event) => rowProblems('event', event)),
      ];
      if (found.length === 0) return store.commit(tenant, write);
      return errAsync(unavailable({ outcome: 'none', cause: new Error(found.join('\n')) }));
    },
  };
}

function rowProblems(kind: Kind, row: object): string[] {
  const { key, under, indexes, across = [] } = shapeOf(kind);
  const given: Readonly<Record<string, unknown>> = { ...row };
  const indexed = new Set([...indexes.flat(), ...across.flat()]);
  return [
    ...(key in given ? keyProblem(kind, given[key]) : []),
    ...(under !== undefined && under.by in given
      ? keyProblem(under.kind as Kind, given[under.by])
      : []),
    ...Object.entries(longestIndexed).flatMap(([name, most]) =>
      name !== key && indexed.has(name) && given[name] !== null && name in given
        ? problemOf(`${kind}.${name}`, given[name], most)
        : [],
    ),
  ];
}

const keyProblem = (kind: Kind, key: unknown) =>
  problemOf(`the key of ${kind}`, key, longestKeys[kind]);

function problemOf(what: string, value: unknown, most: LongestKey): string[] {
  const text = String(value);
  const size = { characters: [...text].length, bytes: new TextEncoder().encode(text).length };
  return size.characters > most.characters || size.bytes > most.bytes
    ? [`${what} has ${size.characters} characters, ${size.bytes} bytes: ${text.slice(0, 40)}`]
    : [];
}
