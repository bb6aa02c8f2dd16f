import type { FieldErrors } from '../base/action-form.js';
import { decimalOf, isAmount, plus } from '../base/amounts.js';
import { Button, Field } from '../base/components.js';
import { draft } from '../base/drafts.js';
import { focusOn } from '../base/shell.js';
import type { WantedStage } from '../base/wanted.js';
import { words } from './words.js';

const empty: WantedStage = {
  ...{ id: null, name: '', budget: '', days: '', isIn: true, isChangeable: true },
};

/** The stages of a form: they are kept like all that is typed. */
export function partsOf(form: string, first: readonly WantedStage[] = [empty]) {
  const kept = draft(`${form}.parts`, JSON.stringify(first));
  return {
    all: (): readonly WantedStage[] => JSON.parse(kept.value),
    set(parts: readonly WantedStage[]) {
      kept.value = JSON.stringify(parts);
    },
  };
}

type Parts = ReturnType<typeof partsOf>;

/** What parts are worth together; text that is no amount goes as it is, to be refused. */
export function sumOf(parts: readonly WantedStage[]): string {
  const budgets = parts.map(({ budget }) => decimalOf(budget));
  const wrong = budgets.find((each) => !isAmount(each));
  return wrong ?? budgets.map(inCents).reduce(plus);
}

const inCents = (text: string) => {
  const [whole, cents = ''] = text.split('.');
  return `${whole}.${cents.padEnd(2, '0')}`;
};

/** The fields of parts; `errorsOf` gives those of one. */
export function PartFields(props: {
  readonly form: string;
  readonly parts: Parts;
  readonly currency: string;
  readonly errorsOf: (at: number) => FieldErrors;
}) {
  const { form, parts, currency, errorsOf } = props;
  const of = words();
  const all = parts.all();
  const isSingle = all.length === 1;
  const text = (at: number, name: 'name' | 'budget' | 'days') => ({
    get value() {
      return parts.all()[at]?.[name] ?? '';
    },
    set value(to: string) {
      parts.set(parts.all().map((part, index) => (index === at ? { ...part, [name]: to } : part)));
    },
  });
  return (
    <>
      {all.map((_, at) => (
        <fieldset key={`${at}`} class={isSingle ? 'bare' : ''}>
          {!isSingle && (
            <legend id={`${form}-part-${at}`} tabIndex={-1}>
              {of.parts.one(String(at + 1))}
            </legend>
          )}
          {/* the only one is named like the deal */}
          {!isSingle && (
            <Field label={of.parts.name} text={text(at, 'name')} error={errorsOf(at)['name']} />
          )}
          <div class="pair">
            <Field
              label={currency === '' ? of.amount : `${of.amount} (${currency})`}
              text={text(at, 'budget')}
              error={errorsOf(at)['budget']}
              inputMode="decimal"
            />
            <Field
              label={of.days}
              text={text(at, 'days')}
              error={errorsOf(at)['work_days']}
              inputMode="numeric"
              isOptional
            />
          </div>
          {!isSingle && (
            <Button
              kind="quiet"
              label={of.parts.removeOne(String(at + 1))}
              onClick={() => {
                parts.set(all.filter((__, index) => index !== at));
                focusOn(`${form}-part-${Math.max(0, at - 1)}`);
              }}
            >
              {of.parts.remove}
            </Button>
          )}
        </fieldset>
      ))}
      <Button
        onClick={() => {
          parts.set([...all, empty]);
          focusOn(`${form}-part-${all.length}`);
        }}
      >
        {of.parts.add}
      </Button>
    </>
  );
}
