import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Alert, Button } from './components.js';
import { type Failure, words } from './failure.js';
import { language } from './language.js';
import { isSending } from './sending.js';

/** The messages of a form's fields, by the paths of the fields. */
export type FieldErrors = Failure['fields'];

/**
 * A form that gives one command. A refusal stands beside the button that caused it, and the focus
 * goes to the first field that is wrong; while it is sent, it is not sent again.
 */
export function ActionForm(props: {
  readonly action: string;
  /** `undefined` if it is done. */
  readonly send: () => Promise<Failure | undefined>;
  readonly onBack?: () => void;
  readonly children?: ((errors: FieldErrors) => ComponentChildren) | undefined;
}) {
  const { action, send, onBack, children } = props;
  const isOwn = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  /** What is wrong, and not of a field. */
  const others = useSignal<readonly string[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const failed = failure.value;
  useEffect(() => {
    const marked = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    marked?.focus();
    others.value = marked ? [] : Object.values(failed?.fields ?? {});
  }, [failed]);

  useSignalEffect(() => {
    // what the service says of fields is in the language of then
    if (language.value && Object.keys(failure.peek()?.fields ?? {}).length > 0) {
      failure.value = undefined;
    }
  });

  async function submit(event: Event) {
    event.preventDefault();
    if (isSending.value) return;
    isSending.value = true;
    isOwn.value = true;
    failure.value = undefined;
    try {
      failure.value = await send();
    } finally {
      isSending.value = false;
      isOwn.value = false;
    }
  }

  return (
    <form ref={form} noValidate onSubmit={submit}>
      {children?.(failed?.fields ?? {})}
      {failed !== undefined && (
        <Alert>
          {others.value.length === 0
            ? failed.message
            : `${words().failures.other} ${others.value.join('; ')}`}
        </Alert>
      )}
      <div class="actions">
        <button type="submit" class="main" aria-disabled={isSending.value}>
          {isOwn.value ? `${words().sending} …` : action}
        </button>
        {onBack !== undefined && !isOwn.value && <Button onClick={onBack}>{words().cancel}</Button>}
      </div>
    </form>
  );
}
