import type { FieldErrors } from './action-form.js';
import { decimalOf, isAmount, sumOfAll } from './amounts.js';
import { Button, Field } from './components.js';
import { draft } from './drafts.js';
import { words } from './failure.js';
import { focusOn } from './shell.js';
import type { WantedStage } from './wanted.js';

const empty: WantedStage = {
  ...{ id: null, name: '', budget: '', days: '', isIn: true, isChangeable: true },
};

/** The stages of a form: they are kept like all that is typed, but for those that are closed since. */
export function partsOf(
  form: string,
  first: readonly WantedStage[] = [empty],
  closed: readonly WantedStage[] = [],
) {
  const kept = draft(`${form}.parts`, JSON.stringify(first));
  const isOpen = ({ id }: WantedStage) => id === null || closed.every((each) => each.id !== id);
  return {
    all: () => (JSON.parse(kept.value) as readonly WantedStage[]).filter(isOpen),
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
  return wrong ?? sumOfAll(budgets.map(inCents));
}

const inCents = (text: string) => {
  const [whole, cents = ''] = text.split('.');
  return `${whole}.${cents.padEnd(2, '0')}`;
};

/** The errors of paths with this beginning, by the rest of the paths. */
export const errorsBelow = (start: string, errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors)
      .filter(([path]) => path.startsWith(start))
      .map(([path, message]) => [path.slice(start.length), message]),
  );

/** The fields of parts; `errorsOf` gives those of one. */
export function PartFields(props: {
  readonly form: string;
  readonly parts: Parts;
  readonly amount?: string | undefined;
  readonly currency: string;
  /** Whether others of the deal are not shown: then even one has a name, and can be taken away. */
  readonly hasOthers?: boolean;
  readonly errorsOf: (at: number) => FieldErrors;
}) {
  const of = words();
  const { form, parts, amount = of.amount, currency, hasOthers = false, errorsOf } = props;
  const all = parts.all();
  const isSingle = all.length === 1 && !hasOthers;
  const add = `${form}-add-part`;
  const text = (at: number, name: 'name' | 'budget' | 'days') => ({
    get value() {
      return parts.all()[at]?.[name] ?? '';
    },
    set value(to: string) {
      parts.set(parts.all().map((part, index) => (index === at ? { ...part, [name]: to } : part)));
    },
  });
  const toggle = (at: number, { id, isIn }: WantedStage) => {
    const others = all.filter((_, index) => index !== at);
    if (id !== null) {
      return parts.set(all.map((each, index) => (index === at ? { ...each, isIn: !isIn } : each)));
    }
    parts.set(others);
    // a single one has no number
    focusOn(others.length > 1 || hasOthers ? `${form}-part-${Math.max(0, at - 1)}` : add);
  };
  return (
    <>
      {all.map((part, at) => (
        <fieldset key={`${at}`} class={isSingle ? 'bare' : ''}>
          {!isSingle && (
            <legend id={`${form}-part-${at}`} tabIndex={-1}>
              {of.parts.one(String(at + 1))}
            </legend>
          )}
          {part.isIn ? (
            <>
              {/* the only one is named like the deal */}
              {!isSingle && (
                <Field label={of.parts.name} text={text(at, 'name')} error={errorsOf(at)['name']} />
              )}
              <div class="pair">
                <Field
                  label={currency === '' ? amount : `${amount} (${currency})`}
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
            </>
          ) : (
            <bdi>{part.name}</bdi>
          )}
          {!isSingle && (
            <Button
              kind="quiet"
              label={`${of.parts[part.isIn ? 'remove' : 'keep']}: ${of.parts.one(String(at + 1))}`}
              onClick={() => toggle(at, part)}
            >
              {of.parts[part.isIn ? 'remove' : 'keep']}
            </Button>
          )}
        </fieldset>
      ))}
      <button
        type="button"
        id={add}
        onClick={() => {
          parts.set([...all, empty]);
          focusOn(`${form}-part-${all.length}`);
        }}
      >
        {of.parts.add}
      </button>
    </>
  );
}
