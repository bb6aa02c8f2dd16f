/** The terms of a deal, as both sides see them (9.5). */
export interface ModelTerms {
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly amount: string;
  readonly currency: string;
  readonly copyright_transfer: string | null;
  readonly stages: readonly {
    readonly id: number | null;
    readonly name: string;
    readonly budget: string;
    readonly work_days: number | null;
  }[];
  readonly agreed_amount?: string;
}

/** A version of the terms (9.6). */
export interface Version {
  readonly kind: string;
  /** As canonical JSON, and its SHA-256. */
  readonly text: string;
  readonly hash: string;
  /** The proposal that made it, by its index. */
  readonly proposal: number | null;
  readonly by: string;
  /** `null` of what was made before the deal was accepted. */
  readonly acceptedBy: string | null;
  readonly at: number;
}

/** The changes of an amendment; money in cents. */
export interface Amendment {
  readonly title?: string;
  readonly description?: string;
  readonly amount?: bigint;
  readonly work_days?: number;
  readonly copyright_transfer?: string;
  readonly stages?: readonly StageChange[];
}
export interface StageChange {
  readonly id?: number;
  readonly name?: string;
  readonly budget?: bigint;
  readonly work_days?: number;
}
/** What is proposed; a number is the agreed amount of a settlement. */
export type Changes = Amendment | bigint;

/** A proposal (9.1). */
export interface Proposal {
  readonly by: string;
  readonly changes: Changes;
  readonly hash: string;
  status: string;
  /** The proposal that it took the place of, by its index. */
  readonly supersedes: number | null;
  readonly at: number;
  readonly expiresAt: number;
  decidedAt: number | null;
}

/** What reports say of an attempt, in whatever order (10.3, 10.5). */
export interface Attempt {
  isPaid: boolean;
  isBack: boolean;
}
