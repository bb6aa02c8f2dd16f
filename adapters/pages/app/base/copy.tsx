import { useId, useRef } from 'preact/hooks';
import { Button } from './components.js';
import { words } from './screen-words.js';
import { announce } from './shell.js';

/** A text to copy by a button, or by hand if the browser refuses it. */
export function Copy({ label, text }: { readonly label: string; readonly text: string }) {
  const { copy } = words();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  async function run(): Promise<void> {
    field.current?.select();
    try {
      // there is no clipboard in pages without TLS
      await navigator.clipboard.writeText(text);
      announce(copy.done);
    } catch {
      field.current?.focus();
      announce(copy.byHand);
    }
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} ref={field} type="text" readOnly value={text} autocomplete="off" />
      <Button onClick={run}>{copy.action}</Button>
    </div>
  );
}
