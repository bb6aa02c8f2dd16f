/** Where a project keeps its deals. */
export type StoreKind = 'sqlite' | 'postgres';

export const storeKinds: readonly StoreKind[] = ['sqlite', 'postgres'];

export const storeNames: Readonly<Record<StoreKind, string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
};

/** What project is to be made, and where. */
export interface ProjectPlan {
  /** A host that has a template. */
  readonly host: string;
  /** A folder that does not exist, or has nothing in it. */
  readonly folder: string;
  readonly store: StoreKind;
  /** What the project has as its dependency `dealwright`: the version of this one, unless told. */
  readonly package?: string | undefined;
  /** Where the templates are: those of this package, unless told. */
  readonly templates?: string;
}
