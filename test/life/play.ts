import { fromMinorUnits } from 'dealwright';
import {
  applyChanges,
  type Changes,
  type Command,
  type DealState,
  decide,
  type Lifecycle,
  lifecycle,
} from 'dealwright/life';
import { digest } from './model-terms.js';
import { dayOne, idMaker, instant, newDeal, type Shape, withFile } from './states.js';

const base: Shape = {
  version: '1.0',
  mode: 'invoice',
  budgets: [100n],
  employerFee: 0n,
  contractorFee: 0n,
  expires: false,
};
const table: Lifecycle = lifecycle;
type Members = Partial<Omit<Command, 'name' | 'actor'>>;

/** A deal without a model, for things outside of the model: events, intents, details. */
export class Play {
  state: DealState;
  now = dayOne;
  readonly newId = idMaker();
  readonly rows: Lifecycle;

  constructor(shape: Partial<Shape> = {}, rows: Lifecycle = table) {
    this.state = newDeal({ ...base, ...shape });
    this.rows = rows;
  }

  get moment() {
    return { now: instant(this.now), newId: this.newId, digest, executes: true };
  }

  take(changes: Changes): Changes {
    this.state = applyChanges(this.state, changes);
    return changes;
  }

  try(name: string, actor: Command['actor'], members: Members = {}) {
    return decide(this.rows, this.state, { name, actor, ...members }, this.moment);
  }

  give(name: string, actor: Command['actor'], members: Members = {}): Changes {
    return this.take(this.try(name, actor, members)._unsafeUnwrap());
  }

  /** Work for each of these stages, delivered and approved. */
  approved(...stages: readonly number[]): this {
    this.give('accept', 'freelancer');
    for (const stage_id of stages) {
      this.delivered(stage_id);
      this.give('approve', 'partner', { stage_id });
    }
    return this;
  }

  upload(stage_id: number): void {
    this.state = withFile(this.state, stage_id, this.newId(), instant(this.now));
  }

  delivered(stage_id: number): Changes {
    this.upload(stage_id);
    return this.give('deliver', 'freelancer', { stage_id });
  }

  /** A report of an employer's payment, by its index. */
  ofEmployer(status: string, reference: string, amount?: bigint, place = 0): Changes {
    return this.report('employer', status, reference, amount, place);
  }

  ofContractor(status: string, reference: string, place = 0): Changes {
    return this.report('contractor', status, reference, undefined, place);
  }

  private report(
    side: 'employer' | 'contractor',
    status: string,
    reference: string,
    amount: bigint | undefined,
    place: number,
  ): Changes {
    const payment_id = this.state[`${side}_payment`][place]?.id ?? '';
    const money = amount === undefined ? {} : { amount: fromMinorUnits(amount) };
    const report = { payment_id, status, reference, ...money } as Command['report'] & object;
    return this.give(`record-${side}-payment`, 'payments', { report });
  }

  /** The intents in short form. */
  get intents(): readonly string[] {
    return this.state.intent.map(({ kind, status, amount }) => `${kind} ${amount} ${status}`);
  }

  /** The postings in short form. */
  get posted(): readonly string[] {
    return this.state.posting.map(({ kind, from_account, to_account, amount }) =>
      [kind, from_account, to_account, amount].join(' '),
    );
  }
}
