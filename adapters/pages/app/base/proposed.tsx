import type { CallOptions, Proposal } from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import { Changes } from './changes.js';
import { CommandDialog, type Commanded, type Effect, remarkEntry } from './command.js';
import { Button, Card, Facts, Said } from './components.js';
import { formOf } from './drafts.js';
import { type CallError, words } from './failure.js';
import { moment } from './format.js';
import { type Deal, type Difference, differences } from './terms.js';

interface ProposedProps {
  readonly deal: Deal & { readonly currency: string };
  readonly proposal: Proposal;
  /** What the deal is worth now, and would be worth. */
  readonly gross: readonly [string, string];
  readonly rights: object;
  readonly more?: readonly Difference[];
}

/** A proposal: the terms of now beside the proposed ones, and until when it is open. */
export function Proposed({ deal, proposal, gross, rights, more = [] }: ProposedProps) {
  const of = words();
  return (
    <>
      {proposal.kind === 'settlement' && <p class="strong">{of.settlement}</p>}
      {proposal.message !== null && <Said text={proposal.message} />}
      <Changes
        of={[...differences(deal, proposal, gross), ...more]}
        currency={deal.currency}
        rights={rights}
      />
      <p class="muted">{of.until(moment(proposal.expires_at))}</p>
    </>
  );
}

/** A decision about the open proposal, as the clients call it. */
export type Decision = 'acceptProposal' | 'rejectProposal' | 'withdrawProposal';

/** The open proposal, and how a side can answer it. */
export function OpenProposal(
  props: ProposedProps & {
    readonly side: Proposal['by'];
    /** The words before one of the other side. */
    readonly theirs: string;
    readonly legal: readonly string[];
    readonly open: (name: Decision | 'propose' | 'settle') => unknown;
  },
) {
  const { side, theirs, legal, open, ...proposed } = props;
  const { by, kind } = proposed.proposal;
  const { proposal: of, decisions } = words();
  const decide = (name: Decision, command: string, as: 'main' | 'plain' = 'plain') =>
    legal.includes(command) && (
      <Button kind={as} onClick={() => open(name)}>
        {decisions[name].open}
      </Button>
    );
  return (
    <Card title={by === side ? of.own : theirs} tone="accent">
      <Proposed {...proposed} />
      <div class="actions">
        {decide('acceptProposal', 'accept-proposal', 'main')}
        {decide('rejectProposal', 'reject-proposal')}
        {by !== side && legal.includes(`propose-${kind}`) && (
          <Button onClick={() => open(kind === 'settlement' ? 'settle' : 'propose')}>
            {of.counter}
          </Button>
        )}
        {decide('withdrawProposal', 'withdraw-proposal')}
      </div>
    </Card>
  );
}

/** Asks before a decision about the open proposal is sent. */
export function Decide(
  props: Commanded & {
    readonly name: Decision;
    readonly proposal: Proposal | null;
    readonly form: string;
    readonly message: string;
    /** What it would pay if it is accepted. */
    readonly effect: (proposal: Proposal) => Effect;
    readonly call: (
      id: string,
      input: { readonly terms_sha256: string; readonly message?: string },
      options: CallOptions,
    ) => ResultAsync<unknown, CallError>;
  },
) {
  const { view, close, name, proposal, form, message, effect, call } = props;
  const { decisions, until } = words();
  // it was decided meanwhile
  if (proposal === null) return null;
  const { id, terms_sha256, expires_at } = proposal;
  return (
    <CommandDialog
      {...{ view, close, form: formOf(form, name, id) }}
      say={{ ...decisions[name], help: until(moment(expires_at)) }}
      entries={[remarkEntry('message', message)]}
      input={(given) => ({ terms_sha256, ...given })}
      call={(input, options) => call(id, input, options)}
      above={name === 'acceptProposal' && <Facts of={effect(proposal)} />}
    />
  );
}
