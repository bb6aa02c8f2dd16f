import type { DealDetails } from 'dealwright';
import { Ask, TextField, textOf } from '../base/ask.js';
import { Field } from '../base/components.js';
import { draft, formOf } from '../base/drafts.js';
import { failureOf } from '../base/failure.js';
import { inLanguage } from '../base/language.js';
import { keyOf } from '../base/view.js';
import { changesOf, proposedIn, wantedFrom } from '../base/wanted.js';
import { api } from './api.js';
import { errorsBelow, PartFields, partsOf } from './parts.js';
import type { DialogProps } from './view.js';
import { words } from './words.js';

/** Fields that start with other terms are other fields. */
export const proposeForm = (deal: DealDetails) =>
  formOf(
    ...['deal', deal.partner_id, 'propose'],
    proposedIn(deal, 'freelancer')?.id ?? deal.terms_version,
  );

/** Other terms: of the deal as it is, or of what the freelancer has proposed. */
export function Propose({ deal, view, close }: DialogProps) {
  const of = words();
  const { partner_id, status, currency, copyright_transfer } = deal;
  const form = proposeForm(deal);
  const first = wantedFrom(deal, 'freelancer');
  const closed = first.stages.filter((stage) => !stage.isChangeable);
  const parts = partsOf(
    form,
    first.stages.filter((stage) => stage.isChangeable && stage.isIn),
    closed,
  );
  const title = draft(`${form}.title`, first.title);
  const description = draft(`${form}.description`, first.description);
  const rights = draft(`${form}.rights`, first.rights);

  const changes = () =>
    changesOf(deal, {
      ...{ title: title.value, description: description.value, rights: rights.value },
      stages: [...closed, ...parts.all()],
    });
  const words_ = of.commands.propose;
  return (
    <Ask
      title={words_.open}
      help={status === 'created' ? of.proposeNow : words_.help}
      action={status === 'created' ? of.changeNow : of.sendProposal}
      onClose={close}
      send={async () => {
        const input = {
          kind: 'amendment',
          changes: changes(),
          ...textOf('message', form),
        } as const;
        if (Object.keys(input.changes).length === 0) {
          return failureOf({ code: 'precondition_failed', reason: 'nothing_changed' });
        }
        const options = { ...inLanguage(), idempotencyKey: keyOf(form, input) };
        const done = status === 'created' ? of.changed : words_.done;
        return view.give(form, done, () => api().propose(partner_id, input, options));
      }}
      fields={(errors) => (
        <>
          <Field label={of.changes.fields.title} text={title} error={errors['changes.title']} />
          <Field
            label={of.changes.fields.description}
            text={description}
            error={errors['changes.description']}
            lines={6}
          />
          {copyright_transfer !== null && (
            <Field
              label={of.changes.fields.rights}
              text={rights}
              error={errors['changes.copyright_transfer']}
              choices={[
                { of: Object.entries({ [copyright_transfer]: copyright_transfer, ...of.rights }) },
              ]}
            />
          )}
          <h3>{of.stages}</h3>
          <PartFields
            {...{ form: 'propose', parts, currency, hasOthers: closed.length > 0 }}
            errorsOf={(at) => errorsBelow(`changes.stages.${closed.length + at}.`, errors)}
          />
          <TextField name="message" label={of.message} form={form} errors={errors} />
        </>
      )}
    />
  );
}
