import type { ComponentChildren } from 'preact';
import { ActionForm, type FieldErrors } from './action-form.js';
import { Dialog } from './components.js';
import type { Failure } from './failure.js';

/** A dialog that gives a command; it closes once that is done, or once it is about something else. */
export function Ask(props: {
  readonly title: string;
  readonly help?: string | undefined;
  readonly action: string;
  readonly onClose: () => void;
  readonly send: () => Promise<Failure | undefined>;
  readonly above?: ComponentChildren;
  readonly fields?: ((errors: FieldErrors) => ComponentChildren) | undefined;
}) {
  const { title, help, action, onClose, send, above, fields } = props;
  const closing = async () => {
    const failure = await send();
    if (failure === undefined || failure.isMoved || failure.isUnknown) onClose();
    return failure;
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {help !== undefined && <p>{help}</p>}
      {above}
      <ActionForm action={action} onBack={onClose} send={closing}>
        {fields}
      </ActionForm>
    </Dialog>
  );
}
