import { type Signal, signal, useSignal } from '@preact/signals';
import type { ResultAsync } from 'neverthrow';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Alert, Button } from './components.js';
import { type Cell, csvOf } from './csv.js';
import { type CallError, type Failure, failureOf } from './failure.js';
import { Moment } from './format.js';
import { language } from './language.js';
import { save } from './save.js';
import { words } from './screen-words.js';
import { announce, focusOn, keepFocus } from './shell.js';

type ReadPage<T> = (query: {
  readonly page_size: number;
  readonly cursor?: string;
}) => ResultAsync<{ readonly results: readonly T[]; readonly next: string | null }, CallError>;

/** A column of a list: its name, its cell of a CSV file, and what it shows; either may be missing. */
export type Column<T> = readonly [
  name: string,
  text: ((row: T) => Cell) | undefined,
  cell?: (row: T) => ComponentChildren,
];

/** A column that shows what its file has. */
export const textColumn = <T,>(name: string, text: (row: T) => string): Column<T> => [
  name,
  text,
  text,
];

export const timeColumn = <T,>(name: string, timeOf: (row: T) => string | null): Column<T> => [
  name,
  (row) => timeOf(row) ?? '',
  (row) => {
    const at = timeOf(row);
    return at !== null && <Moment at={at} />;
  },
];

export interface List<T> {
  readonly rows: Signal<readonly T[]>;
  /** `undefined` before the first page, `null` after the last. */
  readonly next: Signal<string | null | undefined>;
  readonly failure: Signal<Failure | undefined>;
  readonly more: () => Promise<void>;
  /** Reads it anew, from its first page on. */
  readonly again: () => Promise<void>;
  readonly read: ReadPage<T>;
}

const pageSize = 25;
let lists = 0;

/** A list that is read page by page, as somebody asks for more; with another key, another list. */
export function useList<T>(
  key: string,
  read: ReadPage<T>,
  size = pageSize,
): List<T> & { readonly id: string } {
  const list = useMemo(() => {
    lists += 1;
    return { ...createList(read, `list-${lists}`, size), id: `list-${lists}` };
  }, [key]);
  useEffect(() => void list.more(), [list]);
  return list;
}

function createList<T>(read: ReadPage<T>, id: string, size: number): List<T> {
  const rows = signal<readonly T[]>([]);
  const next = signal<string | null | undefined>(undefined);
  const failure = signal<Failure | undefined>(undefined);
  let isBusy = false;
  let asked: string | null | undefined;
  async function load(cursor: string | null | undefined): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    asked = cursor;
    const isFirst = next.value === undefined;
    const hadFailed = failure.value !== undefined;
    const page = await read({ page_size: size, ...(cursor && { cursor }) });
    isBusy = false;
    failure.value = page.isErr() ? failureOf(page.error) : undefined;
    if (page.isErr()) return;
    const { results } = page.value;
    const at = cursor ? rows.value.length : 0;
    rows.value = cursor ? [...rows.value, ...results] : results;
    next.value = page.value.next;
    // its button is gone
    if (hadFailed) keepFocus(`${id}-${at}`);
    if (isFirst) return;
    announce(words().list.added(String(results.length)));
    if (at > 0 && results.length > 0) focusOn(`${id}-${at}`);
  }
  // what has failed is tried again, were it the first page
  const more = () => load(failure.value === undefined ? next.value : asked);
  return { rows, next, failure, more, again: () => load(null), read };
}

/** The rows of a list, and how to get on; `children` says what to do if there are none. */
export function Rows<T>(props: {
  readonly list: List<T> & { readonly id: string };
  readonly name: string;
  readonly columns: readonly Column<T>[];
  readonly more?: string;
  readonly children: ComponentChildren;
}) {
  const { list, name, columns, children } = props;
  const of = words();
  const { rows, next, failure, more, again, id } = list;
  const shown = columns.filter(([, , cell]) => cell !== undefined);
  if (next.value === undefined && failure.value === undefined) {
    return <p class="loading muted">{of.loading} …</p>;
  }
  return (
    <>
      {rows.value.length > 0 && (
        <table class="changes list">
          <caption class="unseen">{name}</caption>
          <thead>
            <tr>
              {shown.map(([column]) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.value.map((row, at) => (
              <tr key={`${at}`} id={`${id}-${at}`} tabIndex={-1}>
                {shown.map(([column, , cell]) => (
                  <td key={column} data-label={column}>
                    {cell?.(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.value.length === 0 && failure.value === undefined && children}
      {failure.value !== undefined && <Alert>{failure.value.message}</Alert>}
      <div class="actions">
        {failure.value !== undefined ? (
          <Button onClick={more}>{of.retry}</Button>
        ) : (
          next.value !== null && <Button onClick={more}>{props.more ?? of.list.more}</Button>
        )}
        {next.value !== undefined && (
          <Button kind="quiet" onClick={again}>
            {of.refresh}
          </Button>
        )}
        {rows.value.length > 0 && <Export list={list} name={name} columns={columns} />}
      </div>
    </>
  );
}

/** Writes a whole list into a file, page by page; it can be cancelled. */
function Export<T>(props: {
  readonly list: List<T>;
  readonly name: string;
  readonly columns: readonly Column<T>[];
}) {
  const { list, name, columns } = props;
  const { list: of, cancelIt } = words();
  const count = useSignal<number | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);

  const running = useRef<symbol>();
  const cancel = () => {
    running.current = undefined;
    count.value = undefined;
  };
  useEffect(() => cancel, []);
  async function run(): Promise<void> {
    const own = Symbol();
    running.current = own;
    count.value = 0;
    failure.value = undefined;
    // a blob for each page: the browser need not keep them in memory
    const filed = columns.filter(([, text]) => text !== undefined);
    // one language from beginning to end, though the reader may change that of the page
    const spoken = language.value;
    const head = csvOf([filed.map(([column]) => column)], spoken);
    const pieces = [new Blob(['\ufeff', head])];
    let cursor: string | null = null;
    for (;;) {
      const page = await list.read({ page_size: 100, ...(cursor !== null && { cursor }) });
      // it was cancelled, and perhaps begun anew
      if (running.current !== own) return;
      if (page.isErr()) {
        failure.value = failureOf(page.error);
        return cancel();
      }
      const { results, next } = page.value;
      const cells = results.map((row) => filed.map(([, text]) => text?.(row) ?? ''));
      pieces.push(new Blob([csvOf(cells, spoken)]));
      count.value += results.length;
      // the cursor at the end of a feed leads to itself
      if (next === null || next === cursor) break;
      cursor = next;
    }
    save(`${name}.csv`, pieces);
    announce(of.saved(String(count.value)));
    cancel();
  }

  return (
    <>
      {count.value === undefined ? (
        <Button kind="quiet" onClick={run}>
          {of.save}
        </Button>
      ) : (
        <Button kind="quiet" onClick={cancel}>
          {`${of.saving(String(count.value))} · ${cancelIt}`}
        </Button>
      )}
      {failure.value !== undefined && <Alert>{failure.value.message}</Alert>}
    </>
  );
}
