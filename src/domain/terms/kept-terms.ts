import { canonicalJson, type Terms, type TermsStage } from './terms.js';

/**
 * A part of an edit of stages, in their order: so many stages of the base stay, or, as a negative
 * number, are left out; the next stage of the base has these other values; a stage is added.
 */
type StagesEdit = number | Partial<TermsStage> | readonly [TermsStage];

/** Terms as they are kept. */
export interface KeptTerms extends Omit<Terms, 'description'> {
  /** Of a long one the version that it came with: there it is a text. */
  readonly description: string | number;
}

/** The members in which terms differ from those of another version of their deal. */
interface Edit extends Partial<Omit<KeptTerms, 'stages' | 'agreed_amount'>> {
  readonly stages?: readonly StagesEdit[];
  /** `null` if only the other version has one. */
  readonly agreed_amount?: string | null;
}

/**
 * An edit begins with the version that it is of, 0 for none: earlier versions of the library, which
 * kept terms whole, cannot parse it, and so show no other terms than were agreed on.
 */
const form = /^(\d+)(?=\{)/;

/** Where a description was: nowhere else in JSON is a comma after a colon. */
const gap = '"description":,';

/** The version that kept terms are an edit of; `undefined` if they are whole. */
export function baseOf(kept: string): number | undefined {
  const [, of] = form.exec(kept) ?? [];
  if (of !== undefined) return Number(of);
  // an earlier version of the library has closed the proposal: canonical terms end with the version
  const [, version] = (kept.includes(gap) && /"version":(\d+)\}$/.exec(kept)) || [];
  return version === undefined ? undefined : Number(version) - 1;
}

/**
 * The version that a version is kept as an edit of: that whose number, counted from 0, lacks the
 * last bit that is 1. So each is a few edits away from the first, and few have to keep a change.
 */
export const parentOf = (version: number): number => ((version - 1) & (version - 2)) + 1;

/** The terms before the first. */
export const noTerms: KeptTerms = {
  ...{ version: 0, title: '', description: '', amount: '', currency: '' },
  ...{ copyright_transfer: null, stages: [] },
};

/** Terms as an edit of those of this version. */
export function editOf(terms: KeptTerms, base: KeptTerms, of: number): string {
  const { stages, agreed_amount = null, ...others } = terms;
  const differs = ([name, value]: readonly [string, unknown]) => Reflect.get(base, name) !== value;
  const changed = stagesEdit(base.stages, stages);
  const edit: Edit = {
    ...Object.fromEntries(Object.entries(others).filter(differs)),
    ...(agreed_amount !== (base.agreed_amount ?? null) && { agreed_amount }),
    ...(changed.some((each) => typeof each !== 'number' || each < 0) && { stages: changed }),
  };
  return `${of}${JSON.stringify(edit)}`;
}

/** The terms that an edit makes of those of its base; terms that are kept whole stay as they are. */
export function edited(kept: string, base: KeptTerms): KeptTerms {
  if (!form.test(kept)) {
    const whole = JSON.parse(withDescription(kept, () => 'null')) as KeptTerms;
    return { ...whole, description: whole.description ?? base.description };
  }
  const edit = JSON.parse(kept.replace(form, '')) as Edit;
  const { stages, agreed_amount = base.agreed_amount, ...others } = edit;
  const { agreed_amount: _, ...known } = base;
  return {
    ...known,
    ...others,
    ...(agreed_amount != null && { agreed_amount }),
    stages: stages === undefined ? base.stages : editedStages(base.stages, stages),
  };
}

function stagesEdit(base: readonly TermsStage[], stages: readonly TermsStage[]): StagesEdit[] {
  const places = new Map(base.map(({ id }, at) => [id, at]));
  // new stages come last and have no ids yet: a later version names them
  const firstNew = base.findIndex(({ id }) => id === null);
  const edit: StagesEdit[] = [];
  const count = (sign: 1 | -1, more: number) => {
    const last = edit.at(-1);
    if (typeof last === 'number' && Math.sign(last) === sign) edit[edit.length - 1] = last + more;
    else if (more !== 0) edit.push(more);
  };
  let next = 0;
  for (const stage of stages) {
    const known = stage.id === null ? undefined : places.get(stage.id);
    const at = known ?? (firstNew < 0 ? base.length : Math.max(next, firstNew));
    const was = base[at];
    if (at < next || was === undefined) {
      edit.push([stage]);
      continue;
    }
    count(-1, next - at);
    const others = Object.entries(stage).filter(
      ([name, value]) => Reflect.get(was, name) !== value,
    );
    if (others.length === 0) count(1, 1);
    else edit.push(Object.fromEntries(others));
    next = at + 1;
  }
  count(-1, next - base.length);
  return edit;
}

function editedStages(base: readonly TermsStage[], edit: readonly StagesEdit[]): TermsStage[] {
  const stages: TermsStage[] = [];
  let next = 0;
  for (const each of edit) {
    if (isAdded(each)) stages.push(...each);
    else if (typeof each === 'object') {
      // of an edit that was written by `stagesEdit` it is there
      for (const was of base.slice(next, next + 1)) stages.push({ ...was, ...each });
      next += 1;
    } else {
      stages.push(...base.slice(next, next + Math.max(each, 0)));
      next += Math.abs(each);
    }
  }
  return stages;
}

const isAdded = (each: StagesEdit): each is readonly [TermsStage] => Array.isArray(each);

/** The terms of a base with the words of a proposal, which its changes have already. */
export function withWords(base: KeptTerms, changes: string): KeptTerms {
  const { title, description, copyright_transfer } = JSON.parse(changes) as Partial<Terms>;
  return {
    ...base,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(copyright_transfer !== undefined && { copyright_transfer }),
  };
}

/** Whether a description is worth a reference. */
export const isLong = (description: string): boolean => description.length >= 200;

/** Canonical JSON of terms without their description, which another text has. */
export function withoutDescription(terms: KeptTerms): string {
  // in a text each quotation mark has a backslash before it
  return canonicalJson({ ...terms, description: null }).replace('"description":null,', gap);
}

/** Puts a description, as JSON, where one is missing; other terms stay as they are. */
export function withDescription(terms: string, description: () => string): string {
  return terms.replace(gap, () => `"description":${description()},`);
}
