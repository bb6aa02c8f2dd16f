import type { CallOptions, ProposalInput } from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import { CommandDialog, type Commanded, remarkEntry } from './command.js';
import { draft, formOf } from './drafts.js';
import { type CallError, failureOf, words } from './failure.js';
import { errorsBelow, PartFields, partsOf } from './parts.js';
import { changesOf, type OpenDeal, proposedIn, type Side, wantedFrom } from './wanted.js';

type Open = OpenDeal & { readonly terms_version: number; readonly currency: string };

/** Fields that start with other terms are other fields. */
export const proposeForm = (form: string, deal: Open, other: Side) =>
  formOf(form, 'propose', proposedIn(deal, other)?.id ?? deal.terms_version);

/** Other terms: of the deal as it is, or of what the other side has proposed. */
export function Propose(
  props: Commanded & {
    readonly deal: Open;
    readonly other: Side;
    readonly form: string;
    readonly say: Parameters<typeof CommandDialog>[0]['say'];
    readonly action?: string;
    readonly amount?: string;
    readonly message: string;
    readonly rights: Readonly<Record<string, string>>;
    readonly call: (input: ProposalInput, options: CallOptions) => ResultAsync<unknown, CallError>;
  },
) {
  const { deal, other, amount, view, close, say, call } = props;
  const of = words();
  const { currency, copyright_transfer } = deal;
  const form = proposeForm(props.form, deal, other);
  const first = wantedFrom(deal, other);
  const closed = first.stages.filter((stage) => !stage.isChangeable);
  const parts = partsOf(
    form,
    first.stages.filter((stage) => stage.isChangeable),
    closed,
  );
  const { fields } = of.changes;
  const entries = [
    { name: 'title', label: fields.title, path: 'changes.title', first: first.title },
    {
      ...{ name: 'description', label: fields.description, path: 'changes.description' },
      ...{ first: first.description, lines: 6 },
    },
    ...(copyright_transfer === null
      ? []
      : [
          {
            ...{ name: 'rights', label: fields.rights, path: 'changes.copyright_transfer' },
            first: first.rights,
            choices: Object.entries({ [copyright_transfer]: copyright_transfer, ...props.rights }),
          },
        ]),
  ];
  const wanted = (name: 'title' | 'description' | 'rights') =>
    draft(`${form}.${name}`, first[name]).value;
  const place = (at: number) =>
    closed.length + parts.all().filter(({ isIn }, index) => isIn && index < at).length;
  return (
    <CommandDialog
      {...{ view, close, form, say, call }}
      action={props.action ?? of.proposal.send}
      entries={[...entries, remarkEntry('message', props.message)]}
      input={({ message }) => ({
        kind: 'amendment' as const,
        changes: changesOf(deal, {
          ...{ title: wanted('title'), description: wanted('description') },
          ...{ rights: wanted('rights'), stages: [...closed, ...parts.all()] },
        }),
        ...(message !== undefined && { message }),
      })}
      refuse={({ changes }) =>
        Object.keys(changes).length === 0
          ? failureOf({ code: 'precondition_failed', reason: 'nothing_changed' })
          : undefined
      }
      fields={(errors) => (
        <PartFields
          {...{ form: 'propose', parts, amount, currency, hasOthers: closed.length > 0 }}
          errorsOf={(at) => errorsBelow(`changes.stages.${place(at)}.`, errors)}
        />
      )}
    />
  );
}
