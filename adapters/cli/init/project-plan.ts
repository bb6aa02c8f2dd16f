/** Where a project keeps its deals. */
export type StoreKind = 'sqlite' | 'postgres';

export const storeKinds: readonly StoreKind[] = ['sqlite', 'postgres'];

export const storeNames: Readonly<Record<StoreKind, string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
};

/** The project to make, and its folder. */
export interface ProjectPlan {
  /** A host that has a template. */
  readonly host: string;
  /** A folder that does not exist, or has nothing in it. */
  readonly folder: string;
  readonly store: StoreKind;
  /** The project's dependency `dealwright`; default: the version of this package. */
  readonly package?: string | undefined;
  /** The folder of the templates; default: those of this package. */
  readonly templates?: string;
}
