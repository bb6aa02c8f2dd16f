import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { words } from './failure.js';
import { isSending } from './sending.js';

type Tone = 'plain' | 'good' | 'wait' | 'bad';

export function Card(props: {
  readonly id?: string;
  readonly title: string;
  readonly tone?: 'accent';
  readonly children: ComponentChildren;
}) {
  const own = useId();
  const id = props.id ?? own;
  return (
    <section class={`card ${props.tone ?? ''}`} aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {props.title}
      </h2>
      {props.children}
    </section>
  );
}

/** A state: its words say it, and the colour repeats them. */
export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** The colour of a state, beside its word. */
export function toneOf(status: string): Tone {
  if (/^(?:completed|approved|paid|accepted)$/.test(status)) return 'good';
  if (/^(?:disputed|failed|returned|cancelled|expired)$/.test(status)) return 'bad';
  return status === 'pending' ? 'plain' : 'wait';
}

/** What went wrong: it is announced at once. */
export function Alert({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="notice" role="alert">
      {children}
    </div>
  );
}

/** Text of somebody else: shown as it is, in the direction of its own script. */
export function Said({ text }: { readonly text: string }) {
  return (
    <p class="said" dir="auto">
      {text}
    </p>
  );
}

/** Names and values, as a list of terms. */
export function Facts({ of }: { readonly of: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value], at) => (
        // by place: two of them may have the same name
        <div key={at}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Button(props: {
  readonly kind?: 'main' | 'quiet' | 'plain';
  readonly onClick: () => unknown;
  readonly label?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <button
      type="button"
      class={props.kind ?? ''}
      onClick={() => void props.onClick()}
      {...(props.label !== undefined && { 'aria-label': props.label })}
    >
      {props.children}
    </button>
  );
}

/** A value to choose with its name, or a heading with the choices below it. */
export type Choice = readonly [string, string | readonly Choice[]];

const optionsOf = (choices: readonly Choice[]) =>
  choices.map(([value, name]) =>
    typeof name === 'string' ? (
      <option key={value} value={value}>
        {name}
      </option>
    ) : (
      <optgroup key={value} label={value}>
        {optionsOf(name)}
      </optgroup>
    ),
  );

/** A field whose text is kept; an error stands below it, and is read with it. */
export function Field(props: {
  readonly label: string;
  /** A signal, or what behaves like one. */
  readonly text: { value: string };
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
  readonly lines?: number;
  readonly inputMode?: 'decimal' | 'numeric';
  readonly type?: 'date' | 'datetime-local' | 'password' | 'text';
  readonly choices?: readonly Choice[];
}) {
  const { label, text, error, lines, choices } = props;
  const id = useId();
  const shared = {
    id,
    value: text.value,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
      text.value = currentTarget.value;
    },
    'aria-invalid': error !== undefined,
    'aria-describedby': error && `${id}-error`,
    autocomplete: 'off',
  } as const;
  return (
    <div class="field">
      <label for={id}>
        {label} {props.isOptional === true && <span class="muted">({words().optional})</span>}
      </label>
      {choices !== undefined ? (
        <select {...shared}>{optionsOf(choices)}</select>
      ) : lines === undefined ? (
        <input type={props.type ?? 'text'} inputMode={props.inputMode} {...shared} />
      ) : (
        <textarea rows={lines} dir="auto" {...shared} />
      )}
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {label}: {error}
        </p>
      )}
    </div>
  );
}

/** A dialog over the page: the browser keeps the focus in it, and Escape closes it. */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    heading.current?.focus();
    return () => {
      dialog.current?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        if (isSending.value) event.preventDefault();
      }}
      onClose={() => {
        // one that is taken away tells of it late, when another may be open
        if (dialog.current === null) return;
        // a browser closes it at a second Escape, whatever a page says: its answer has to be seen
        if (isSending.value) dialog.current.showModal();
        else props.onClose();
      }}
    >
      <h2 id={id} tabIndex={-1} ref={heading}>
        {props.title}
      </h2>
      {props.children}
    </dialog>
  );
}
