import { signal, useSignal } from '@preact/signals';
import type { CategoryListEntry, DealV2Input } from 'dealwright';
import { useEffect } from 'preact/hooks';
import { ActionForm } from '../base/action-form.js';
import { decimalOf, isAmount, numberOf } from '../base/amounts.js';
import { Alert, Button, Card, Field } from '../base/components.js';
import { draft, dropDrafts } from '../base/drafts.js';
import { type Failure, failureOf } from '../base/failure.js';
import { inLanguage, languages } from '../base/language.js';
import { goTo, hrefOf } from '../base/route.js';
import { announce, Heading } from '../base/shell.js';
import { keyOf } from '../base/view.js';
import { changesOf, type WantedStage, wantedFrom } from '../base/wanted.js';
import { api } from './api.js';
import { errorsBelow, PartFields, partsOf, sumOf } from './parts.js';
import { proposeForm } from './propose.js';
import { words } from './words.js';

/** What could not be done for a deal that was made: its page says it. */
export const leftOver = signal<{ readonly id: string; readonly failure: Failure } | undefined>(
  undefined,
);

const text = (name: string, first?: string) => draft(`new.${name}`, first);

/** The form of a new deal of version 2.0, with its stages. */
export function Create() {
  const of = words();
  const categories = useSignal<readonly CategoryListEntry[] | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const load = async () => {
    const asked = inLanguage();
    const found = await api().listCategories(asked);
    // the language is another one by now, and so are the categories
    if (asked.language !== inLanguage().language) return;
    failure.value = found.isErr() ? failureOf(found.error) : undefined;
    if (found.isOk()) categories.value = found.value;
  };
  const { language } = inLanguage();
  useEffect(() => void load(), [language]);
  const parts = partsOf('new');
  const currency = text('currency').value.trim().toUpperCase();
  const fields = of.changes.fields;
  return (
    <>
      <div class="title">
        <Heading>{of.create.open}</Heading>
      </div>
      <Card title={of.create.heading}>
        <p>{of.create.help}</p>
        {failure.value !== undefined && (
          <Alert>
            <p>{failure.value.message}</p>
            <Button onClick={load}>{of.retry}</Button>
          </Alert>
        )}
        <ActionForm action={of.create.send} send={() => send(parts.all())}>
          {(errors) => (
            <>
              <Field label={fields.title} text={text('title')} error={errors['title']} />
              <Field
                label={fields.description}
                text={text('description')}
                error={errors['description']}
                lines={6}
              />
              <div class="pair">
                <Field
                  label={of.email}
                  text={text('email_freelancer')}
                  error={errors['email_freelancer']}
                />
                <Field label={of.number} text={text('partner_id')} error={errors['partner_id']} />
                <Field
                  label={of.create.category}
                  text={text('subcategory_id')}
                  error={errors['subcategory_id']}
                  choices={[
                    { of: [['', of.create.choose]] },
                    ...(categories.value ?? []).map(({ name, subcategories }) => ({
                      heading: name,
                      of: subcategories.map((each) => [String(each.id), each.name] as const),
                    })),
                  ]}
                />
                <Field
                  label={fields.rights}
                  text={text('copyright_transfer')}
                  error={errors['copyright_transfer']}
                  choices={[{ of: [['', of.create.choose], ...Object.entries(of.rights)] }]}
                />
                <Field
                  label={of.create.language}
                  text={text('freelancer_language', language)}
                  error={errors['freelancer_language']}
                  choices={[{ of: Object.entries(languages) }]}
                />
                <Field label={of.currency} text={text('currency')} error={errors['currency']} />
              </div>
              <h3>{of.stages}</h3>
              <PartFields
                {...{ form: 'new', parts, currency }}
                errorsOf={(at) => {
                  const wrong = parts.all().findIndex(({ budget }) => !isAmount(decimalOf(budget)));
                  return {
                    ...errorsBelow(`${at}.`, errors),
                    ...(at === Math.max(0, wrong) &&
                      errors['amount'] && { budget: errors['amount'] }),
                  };
                }}
              />
            </>
          )}
        </ActionForm>
      </Card>
    </>
  );
}

/** Terms of parts follow once the deal is made: what is wrong with them is said before. */
function refusalOf(parts: readonly WantedStage[]): Failure | undefined {
  const { create } = words();
  const fields = parts.flatMap(({ name, days }, at) => [
    ...(parts.length > 1 && name.trim() === '' ? [[`${at}.name`, create.noName] as const] : []),
    ...(/^\s*\d*\s*$/.test(days) ? [] : [[`${at}.work_days`, create.noDays] as const]),
  ]);
  if (fields.length === 0) return undefined;
  return { ...failureOf({ code: 'validation_failed' }), fields: Object.fromEntries(fields) };
}

async function send(parts: readonly WantedStage[]): Promise<Failure | undefined> {
  const { create } = words();
  const refused = refusalOf(parts);
  if (refused !== undefined) return refused;
  const value = (name: string) => text(name).value.trim();
  const input: DealV2Input = {
    partner_id: value('partner_id'),
    email_freelancer: value('email_freelancer'),
    title: value('title'),
    description: text('description').value,
    subcategory_id: numberOf(value('subcategory_id')),
    amount: sumOf(parts),
    currency: value('currency').toUpperCase(),
    // what is no member of a set is refused by the service
    copyright_transfer: value('copyright_transfer') as DealV2Input['copyright_transfer'],
    freelancer_language: value('freelancer_language') as DealV2Input['freelancer_language'],
  };
  const idempotencyKey = keyOf('new', input);
  const made = await api().createDealV2(input, { ...inLanguage(), idempotencyKey });
  if (made.isErr()) {
    const failure = failureOf(made.error);
    if (made.error.code !== 'deal_exists') return failure;
    return { ...failure, message: create.exists, fields: { partner_id: create.exists } };
  }
  await splitUp(input.partner_id, parts);
  dropDrafts('new');
  goTo(hrefOf(['deals', input.partner_id]));
  announce(create.done);
  return undefined;
}

/** A deal of version 2.0 is made as one stage: an offer that nobody has accepted can be split. */
async function splitUp(id: string, parts: readonly WantedStage[]): Promise<void> {
  if (parts.length === 1 && parts[0]?.days.trim() === '') return;
  const found = await api().retrieveDealDetails(id, inLanguage());
  if (found.isErr()) {
    leftOver.value = { id, failure: failureOf(found.error) };
    return;
  }
  const { stages } = found.value;
  const named = parts.map((part, at): WantedStage => {
    const first = stages[at];
    if (at > 0 || first === undefined) return part;
    return { ...part, id: first.id, name: parts.length === 1 ? first.name : part.name };
  });
  const changes = changesOf(found.value, {
    ...wantedFrom(found.value, 'freelancer'),
    stages: named,
  });
  if (Object.keys(changes).length === 0) return;
  const proposed = await api().propose(id, { kind: 'amendment', changes }, inLanguage());
  if (proposed.isOk()) return;
  leftOver.value = { id, failure: failureOf(proposed.error) };
  partsOf(proposeForm(found.value)).set(named);
}
