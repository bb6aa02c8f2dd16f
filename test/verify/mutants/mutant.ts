/** A mistake of a server, planted in front of the handler in memory. */
export interface Mutant {
  readonly name: string;
  /** The id of the law that must find it. */
  readonly law: string;
  /** Whether the employer pays before the work. */
  readonly isPrepaid?: true;
  readonly fetch: (
    forward: (request: Request) => Promise<Response>,
  ) => (request: Request) => Promise<Response>;
}
