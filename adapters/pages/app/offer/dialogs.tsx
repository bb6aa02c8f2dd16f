import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { FieldErrors } from '../base/action-form.js';
import { decimalOf } from '../base/amounts.js';
import { TextField as AnyTextField, Ask as Dialog, textOf } from '../base/ask.js';
import { Facts, Field } from '../base/components.js';
import { draft } from '../base/drafts.js';
import { type Failure, failureOf } from '../base/failure.js';
import { moment, money } from '../base/format.js';
import { inLanguage, wordOf } from '../base/language.js';
import { hostName } from '../base/shell.js';
import { changesOf, proposedIn, type Wanted, wantedFrom } from '../base/wanted.js';
import { type Called, type DialogName, give, opened } from './deal.js';
import type { Offer } from './offer.js';
import { stageFacts } from './shown.js';
import { words } from './words.js';

const close = () => {
  opened.value = undefined;
};

interface Shown {
  readonly offer: Offer;
}

/** A dialog that gives a command. `form` names what is typed into its fields. */
function Ask(props: {
  readonly form: string;
  readonly title: string;
  readonly help?: string;
  readonly action: string;
  readonly done: string;
  /** A refusal before anything is sent. */
  readonly refuse?: () => Failure | undefined;
  readonly call: Called;
  readonly above?: ComponentChildren;
  readonly fields?: (errors: FieldErrors) => ComponentChildren;
}) {
  const { form, title, help, action, done, refuse, call, above, fields } = props;
  const send = async () => refuse?.() ?? give(form, done, call);
  return <Dialog {...{ title, help, action, send, above, fields }} onClose={close} />;
}

/** The field of a reason or a message that goes with a command. */
export function TextField(
  props: Omit<Parameters<typeof AnyTextField>[0], 'label'> & { name: 'reason' | 'message' },
) {
  return <AnyTextField {...props} label={words()[props.name]} />;
}

function Accept({ offer }: Shown) {
  const { accept, pay, rights, rightsOf } = words();
  const { terms_sha256, currency, title, copyright_transfer } = offer;
  const summary = (
    <>
      <p class="said strong" dir="auto">
        {title}
      </p>
      <Facts
        of={[
          [pay.net, <strong key="net">{money(offer.amount, currency)}</strong>],
          [pay.gross, money(offer.gross, currency)],
          [pay.fee, money(offer.contractor_fee, currency)],
          [rights, wordOf(rightsOf, copyright_transfer ?? '')],
          ...stageFacts(offer),
        ]}
      />
    </>
  );
  return (
    <Ask
      {...{ form: 'accept', title: accept.title, help: accept.help, above: summary }}
      {...{ action: accept.send, done: accept.done }}
      call={(to) => to.accept({ terms_sha256 }, inLanguage())}
    />
  );
}

function Decline({ offer }: Shown) {
  const { decline: of } = words();
  const isNew = offer.status === 'created';
  return (
    <Ask
      {...{ form: 'decline', help: of.help, done: of.done }}
      title={isNew ? of.title : of.titleLater}
      action={isNew ? of.send : of.sendLater}
      call={(to) => to.decline(textOf('reason', 'decline'), inLanguage())}
      fields={(errors) => <TextField name="reason" form="decline" errors={errors} />}
    />
  );
}

function Dispute(_: Shown) {
  const { dispute: of } = words();
  return (
    <Ask
      {...{ form: 'dispute', title: of.title, help: of.help(hostName()) }}
      {...{ action: of.send, done: of.done }}
      // the service says that a reason is missing
      call={(to) => to.dispute(textOf('reason', 'dispute') as { reason: string }, inLanguage())}
      fields={(errors) => <TextField name="reason" form="dispute" errors={errors} isRequired />}
    />
  );
}

function Propose({ offer }: Shown) {
  const { propose: of, changes: shared, days: daysOfWork, rightsOf } = words();
  const first = wantedFrom(offer, 'partner');
  // fields that start with other terms are other fields; the message is the same
  const form = `propose.${proposedIn(offer, 'partner')?.id ?? offer.terms_version}`;
  const title = draft(`${form}.title`, first.title);
  const description = draft(`${form}.description`, first.description);
  const rights = draft(`${form}.rights`, yes);
  const hasOtherRights = first.rights !== (offer.copyright_transfer ?? '');
  const isSingle = first.stages.length === 1;
  const stages = first.stages.map((stage, at) => {
    const key = `${form}.${stage.id ?? `added${at}`}`;
    return {
      ...{ key, stage },
      name: draft(`${key}.name`, stage.name),
      budget: draft(`${key}.budget`, stage.budget),
      days: draft(`${key}.days`, stage.days),
      isIn: draft(`${key}.in`, stage.isIn ? yes : ''),
    };
  });

  const wanted = (): Wanted => ({
    title: title.value,
    description: description.value,
    rights: hasOtherRights && rights.value === '' ? (offer.copyright_transfer ?? '') : first.rights,
    stages: stages.map(({ stage, name, budget, days, isIn }) => ({
      ...{ ...stage, name: name.value, budget: budget.value },
      ...{ days: days.value, isIn: isIn.value !== '' },
    })),
  });
  const changes = () => changesOf(offer, wanted());
  const fieldsOf = (
    { key, stage, name, budget, days, isIn }: (typeof stages)[number],
    errors: FieldErrors,
  ) => {
    const sent = stages.filter((each) => each.isIn.value !== '');
    const errorOf = (member: string) =>
      errors[`changes.stages.${sent.findIndex((each) => each.stage === stage)}.${member}`];
    return (
      <fieldset key={key} class={isSingle ? 'bare' : ''}>
        {!isSingle && (
          <>
            <legend>
              <bdi>{of.stage(stage.name)}</bdi>
            </legend>
            <Check label={of.keep} text={isIn} />
          </>
        )}
        {isIn.value !== '' && (
          <>
            {!isSingle && <Field label={of.name} text={name} error={errorOf('name')} />}
            <div class="pair">
              <Field
                label={`${of.budget} (${offer.currency})`}
                text={budget}
                error={errorOf('budget')}
                inputMode="decimal"
              />
              <Field
                label={daysOfWork}
                text={days}
                error={errorOf('work_days')}
                inputMode="numeric"
                isOptional={stage.days === ''}
              />
            </div>
          </>
        )}
      </fieldset>
    );
  };

  return (
    <Ask
      {...{ form: 'propose', title: of.title, help: of.help, action: of.send, done: of.done }}
      refuse={() =>
        Object.keys(changes()).length === 0
          ? failureOf({ code: 'precondition_failed', reason: 'nothing_changed' })
          : undefined
      }
      call={(to) =>
        to.propose(
          { kind: 'amendment', changes: changes(), ...textOf('message', 'propose') },
          inLanguage(),
        )
      }
      fields={(errors) => (
        <>
          {stages.map((each) => each.stage.isChangeable && fieldsOf(each, errors))}
          <Field label={shared.fields.title} text={title} error={errors['changes.title']} />
          <Field
            label={of.description}
            text={description}
            error={errors['changes.description']}
            lines={6}
          />
          {hasOtherRights && (
            <Check label={`${of.rights}: ${wordOf(rightsOf, first.rights)}`} text={rights} />
          )}
          <TextField name="message" form="propose" errors={errors} />
        </>
      )}
    />
  );
}

const yes = 'yes';

/** A choice that is kept as a text is. */
function Check({ label, text }: { readonly label: string; readonly text: Signal<string> }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={text.value !== ''}
        onChange={({ currentTarget }) => {
          text.value = currentTarget.checked ? yes : '';
        }}
      />
      {label}
    </label>
  );
}

function Settle({ offer }: Shown) {
  const { settle: of, propose } = words();
  const amount = draft('settle.amount');
  return (
    <Ask
      {...{ form: 'settle', title: of.title, help: of.help, action: of.send, done: of.done }}
      call={(to) =>
        to.propose(
          {
            kind: 'settlement',
            changes: { agreed_amount: decimalOf(amount.value) },
            ...textOf('message', 'settle'),
          },
          inLanguage(),
        )
      }
      fields={(errors) => (
        <>
          <Field
            label={`${propose.budget} (${offer.currency})`}
            text={amount}
            error={errors['changes.agreed_amount']}
            inputMode="decimal"
          />
          <TextField name="message" form="settle" errors={errors} />
        </>
      )}
    />
  );
}

/** A decision about the open proposal. */
const decide = (decision: 'accept' | 'reject' | 'withdraw') =>
  function Decide({ offer: { proposal, amount, currency } }: Shown) {
    const { changes, pay, proposal: of } = words();
    // it was decided meanwhile
    if (proposal === null) return null;
    const { id, terms_sha256, net, expires_at } = proposal;
    const form = `${decision}-proposal`;
    const sums = [
      [pay.net, <strong key="net">{money(net, currency)}</strong>],
      [changes.before, money(amount, currency)],
    ] as const;
    return (
      <Ask
        {...{ form, help: of.until(moment(expires_at)), ...of[decision] }}
        above={decision === 'accept' && <Facts of={sums} />}
        call={(to) =>
          to[`${decision}Proposal`](id, { terms_sha256, ...textOf('message', form) }, inLanguage())
        }
        fields={(errors) => <TextField name="message" form={form} errors={errors} />}
      />
    );
  };

const dialogs: Readonly<Record<DialogName, (shown: Shown) => ComponentChildren>> = {
  accept: Accept,
  decline: Decline,
  dispute: Dispute,
  propose: Propose,
  settle: Settle,
  acceptProposal: decide('accept'),
  rejectProposal: decide('reject'),
  withdrawProposal: decide('withdraw'),
};

/** The dialog that is open, if one is. */
export function OpenDialog({ offer }: Shown) {
  if (opened.value === undefined) return null;
  const Opened = dialogs[opened.value];
  return <Opened key={opened.value} offer={offer} />;
}
