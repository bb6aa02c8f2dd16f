import type { DealState } from 'dealwright/life';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isOverdue,
  keepDeadlines,
  noticeTime,
  offerEnd,
  tellReviewEnd,
  tellTime,
} from '../../../src/domain/life/deadlines.js';
import { createDraft, type Draft } from '../../../src/domain/payments/draft.js';
import { day, dayOne, idMaker, instant, newDeal } from '../../life/states.js';

type Stage = DealState['stage'][number];
type Deal = DealState['deal'];

const at = (days: number) => instant(dayOne + days * day);
const draftOf = (state: DealState, now: string): Draft =>
  createDraft(state, { now, newId: idMaker() });

/** An accepted deal of one stage for each of these, whose days have begun. */
function running(stages: readonly Partial<Stage>[], deal: Partial<Deal> = {}): DealState {
  const made = newDeal({
    ...{ version: '2.0', mode: 'invoice', budgets: stages.map(() => 100n), expires: false },
    ...{ employerFee: 0n, contractorFee: 0n },
  });
  const begun = { work_days: 10, started_at: at(0), deadline: at(10) };
  return {
    ...made,
    deal: { ...made.deal, status: 'accepted', ...deal },
    stage: made.stage.map((stage, index) => ({ ...stage, ...begun, ...stages[index] })),
  };
}

const [bare] = running([{}]).stage;
const stageWith = (own: Partial<Stage>): Stage => ({ ...(bare as Stage), ...own });

const open = ['pending', 'changes_requested'] as const;
const notOpen = ['submitted', 'approved', 'paid', 'cancelled'] as const;
const days = fc.integer({ min: -40, max: 40 });

/** The stages after a change of them, on a day. */
function kept(state: DealState, on: number, change: Partial<Stage>, index = 0): readonly Stage[] {
  const draft = draftOf(state, at(on));
  draft.change('stage', draft.state.stage[index] as Stage, change);
  keepDeadlines(draft);
  return draft.state.stage;
}

describe('work that is overdue', () => {
  it('is open, has begun, and was due by now', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...open, ...notOpen),
        fc.option(days),
        fc.option(days),
        days,
        (status, started, due, now) => {
          const stage = stageWith({
            status,
            started_at: started === null ? null : at(started),
            deadline: due === null ? null : at(due),
          });
          const isExpected =
            (status === 'pending' || status === 'changes_requested') &&
            started !== null &&
            due !== null &&
            due <= now;
          expect(isOverdue(stage, at(now))).toBe(isExpected);
        },
      ),
    );
  });

  it('is told once for each due date', () => {
    for (const status of open) {
      expect(tellTime(stageWith({ status }))).toBe(at(10));
      expect(tellTime(stageWith({ status, overdue_told: at(9) }))).toBe(at(10));
      expect(tellTime(stageWith({ status, overdue_told: at(10) }))).toBeNull();
      expect(tellTime(stageWith({ status, started_at: null }))).toBeNull();
    }
    for (const status of notOpen) expect(tellTime(stageWith({ status }))).toBeNull();
  });
});

describe('the end of an offer', () => {
  it('is that of a deal that nobody has accepted', () => {
    const statuses = ['accepted', 'delivered', 'cancelled', 'expired', 'completed'] as const;
    const { deal } = running([{}], { expires_at: at(30) });
    expect(offerEnd({ ...deal, status: 'created' })).toBe(at(30));
    expect(offerEnd({ ...deal, status: 'created', expires_at: null })).toBeNull();
    for (const status of statuses) expect(offerEnd({ ...deal, status })).toBeNull();
  });
});

describe('a notice', () => {
  it('comes as many days before the end as is said, and never if that is 0', () => {
    expect(noticeTime(at(0), 30, 3)).toBe(at(27));
    expect(noticeTime(at(0), 30, 30)).toBe(at(0));
    expect(noticeTime(at(0), 30, 0)).toBeNull();
  });
});

describe('the notice that a review ends', () => {
  it('is noted of the stages that it was told of, and of no others', () => {
    const all = [
      stageWith({ status: 'submitted', notice_at: at(5) }),
      stageWith({ status: 'submitted', notice_at: at(6) }),
      stageWith({ status: 'submitted', notice_at: null }),
      stageWith({ status: 'pending', notice_at: at(1) }),
    ].map((stage, index) => ({ ...stage, id: 101 + index }));
    const draft = draftOf({ ...running([{}]), stage: all }, at(5));
    tellReviewEnd(draft);
    expect(draft.state.stage.map(({ notice_at }) => notice_at)).toEqual([
      ...[null, at(6), null, at(1)],
    ]);
  });
});

describe('the days of a stage', () => {
  it('begin and change for no stage that is closed, and in no deal that is over', () => {
    for (const status of ['approved', 'paid', 'cancelled'] as const) {
      const state = running([{ status, started_at: null, deadline: null }]);
      expect(kept(state, 3, { work_days: 2 })[0]).toMatchObject({
        ...{ started_at: null, deadline: null },
      });
    }
    for (const status of ['completed', 'cancelled', 'expired'] as const) {
      const state = running([{ started_at: null, deadline: null }], { status });
      expect(kept(state, 3, { work_days: 2 })[0]).toMatchObject({
        ...{ started_at: null, deadline: null },
      });
    }
    const [begun] = kept(running([{ started_at: null, deadline: null }]), 3, { work_days: 2 });
    expect(begun).toMatchObject({ started_at: at(3), deadline: at(10) });
  });

  it('are seven at least from a change of its name, its budget or its days', () => {
    for (const change of [{ name: 'Else' }, { budget: '2.00' }, { work_days: 9 }]) {
      expect(kept(running([{}]), 8, change)[0]?.deadline).toBe(at(15));
    }
    expect(kept(running([{}]), 8, { notice_at: at(9) })[0]?.deadline).toBe(at(10));
  });

  it('are seven at least from a request for changes, which brings no due date nearer', () => {
    const submitted = { status: 'submitted', submitted_at: at(8) } as const;
    const back = { status: 'changes_requested', submitted_at: null } as const;
    expect(kept(running([submitted]), 8, back)[0]?.deadline).toBe(at(15));
    const far = running([{ ...submitted, deadline: at(40) }]);
    expect(kept(far, 8, back)[0]?.deadline).toBe(at(40));
    // a change of something else later adds none
    const again = running([{ status: 'changes_requested' }]);
    expect(kept(again, 8, { notice_at: at(9) })[0]?.deadline).toBe(at(10));
  });

  it('of the others go on', () => {
    const state = running([{}, { deadline: at(20) }]);
    expect(kept(state, 8, { name: 'Else' })[1]).toBe(state.stage[1]);
  });

  it('have no end beyond the year 9999, whatever was due before', () => {
    const most = 3_000_000;
    expect(kept(running([{}]), 8, { work_days: most })[0]?.deadline).toBeNull();
    expect(kept(running([{ deadline: null }]), 8, { work_days: 20 })[0]?.deadline).toBe(at(20));
  });
});
