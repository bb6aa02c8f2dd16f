import { signal, useSignal } from '@preact/signals';
import type { CategoryListEntry, DealV2Input } from 'dealwright';
import { useEffect } from 'preact/hooks';
import { ActionForm } from '../base/action-form.js';
import { decimalOf, isAmount, numberOf } from '../base/amounts.js';
import { Entries, type Entry, type Given, givenIn } from '../base/command.js';
import { Alert, Button, Card } from '../base/components.js';
import { draft, dropDrafts } from '../base/drafts.js';
import { type Failure, failureOf } from '../base/failure.js';
import { inLanguage, languages } from '../base/language.js';
import { errorsBelow, PartFields, partsOf, sumOf } from '../base/parts.js';
import { proposeForm } from '../base/propose.js';
import { goTo, hrefOf } from '../base/route.js';
import { announce, Heading } from '../base/shell.js';
import { keyOf } from '../base/view.js';
import { changesOf, type WantedStage, wantedFrom } from '../base/wanted.js';
import { api } from './api.js';
import { formOfDeal } from './view.js';
import { words } from './words.js';

/** What could not be done for a deal that was made: its page says it. */
export const leftOver = signal<{ readonly id: string; readonly failure: Failure } | undefined>(
  undefined,
);

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
  const currency = draft('new.currency').value.trim().toUpperCase();
  const { fields } = of.changes;
  const choose = { '': of.create.choose };
  const texts: readonly Entry[] = [
    { name: 'title', label: fields.title },
    { name: 'description', label: fields.description, lines: 6 },
  ];
  const details: readonly Entry[] = [
    { name: 'email_freelancer', label: of.email },
    { name: 'partner_id', label: of.number },
    {
      name: 'subcategory_id',
      label: of.create.category,
      choices: [
        ...Object.entries(choose),
        ...(categories.value ?? []).map(
          ({ name, subcategories }) =>
            [name, subcategories.map((each) => [String(each.id), each.name] as const)] as const,
        ),
      ],
    },
    {
      name: 'copyright_transfer',
      label: fields.rights,
      choices: Object.entries({ ...choose, ...of.rights }),
    },
    {
      name: 'freelancer_language',
      label: of.create.language,
      first: language,
      choices: Object.entries(languages),
    },
    { name: 'currency', label: of.currency },
  ];
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
        <ActionForm
          action={of.create.send}
          send={() => send(givenIn('new', [...texts, ...details]), parts.all())}
        >
          {(errors) => (
            <>
              <Entries form="new" of={texts} errors={errors} />
              <div class="pair">
                <Entries form="new" of={details} errors={errors} />
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

async function send(given: Given, parts: readonly WantedStage[]): Promise<Failure | undefined> {
  const { create } = words();
  const refused = refusalOf(parts);
  if (refused !== undefined) return refused;
  const { partner_id = '', subcategory_id = '', currency = '' } = given;
  // the service says what is missing
  const input = {
    ...given,
    ...{ partner_id, subcategory_id: numberOf(subcategory_id), amount: sumOf(parts) },
    currency: currency.toUpperCase(),
  } as DealV2Input;
  const idempotencyKey = keyOf('new', input);
  const made = await api().createDealV2(input, { ...inLanguage(), idempotencyKey });
  if (made.isErr()) {
    const failure = failureOf(made.error);
    if (made.error.code !== 'deal_exists') return failure;
    return { ...failure, message: create.exists, fields: { partner_id: create.exists } };
  }
  await splitUp(partner_id, parts);
  dropDrafts('new');
  goTo(hrefOf(['deals', partner_id]));
  announce(create.done);
  return undefined;
}

/** A deal of version 2.0 is made as one stage: an offer that nobody has accepted can be split. */
async function splitUp(partner_id: string, parts: readonly WantedStage[]): Promise<void> {
  if (parts.length === 1 && parts[0]?.days.trim() === '') return;
  const found = await api().retrieveDealDetails(partner_id, inLanguage());
  if (found.isErr()) {
    leftOver.value = { id: partner_id, failure: failureOf(found.error) };
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
  const proposed = await api().propose(partner_id, { kind: 'amendment', changes }, inLanguage());
  if (proposed.isOk()) return;
  leftOver.value = { id: partner_id, failure: failureOf(proposed.error) };
  partsOf(proposeForm(formOfDeal({ partner_id }), found.value, 'freelancer')).set(named);
}
