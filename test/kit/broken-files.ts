import type { DealRepository, WorkFile, WorkFileAddition } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { type BrokenStores, settle, withDeals } from './store-parts.js';

/** A store that is asked to add another file than it was given. */
const added = (change: (given: WorkFileAddition) => WorkFileAddition) => () =>
  withDeals(({ deals }) => ({
    addWorkFile: (tenant, given) => deals.addWorkFile(tenant, change(given)),
  }));

type AddWorkFile = DealRepository['addWorkFile'];

const append = 'appends a file to its stage, with its events';
const versions = 'refuses a file for a version that is not the stored one';
const keyFirst = 'judges the key of a file before its deal and its version';
const copies = 'keeps and hands out copies of files';
const recorded = 'tells which contents a file names';

/** Mistakes in keeping work files. */
export const brokenFiles: BrokenStores = {
  'appends a file to any version': {
    make: () =>
      withDeals(({ deals }) => ({
        addWorkFile: async (tenant, given) => {
          const found = await settle(deals.byId(tenant, given.deal_id));
          return deals.addWorkFile(tenant, { ...given, version: found?.version ?? 1 });
        },
      })),
    foundBy: versions,
  },
  'checks the version of a deal first and appends later': {
    make: () =>
      withDeals(({ deals }) => ({
        addWorkFile: async (tenant, given) => {
          const found = await settle(deals.byId(tenant, given.deal_id));
          if (found?.version !== given.version) return deals.addWorkFile(tenant, given);
          // somebody else was faster by now, and is not asked
          for (;;) {
            const now = await settle(deals.byId(tenant, given.deal_id));
            const { version } = now ?? given;
            const outcome = await settle(deals.addWorkFile(tenant, { ...given, version }));
            if (outcome.outcome !== 'stale') return ok(outcome);
          }
        },
      })),
    foundBy: 'of 40 files for the same version one wins',
  },
  'stores a file that comes again a second time': {
    make: () =>
      withDeals(({ deals }) => ({
        addWorkFile: async (tenant, given) => {
          const [known] = await settle(deals.recordedWorkFiles(tenant, [given.file.id]));
          return known === undefined ? deals.addWorkFile(tenant, given) : ok({ outcome: 'stale' });
        },
      })),
    foundBy: 'a file that is added again by the same attempt is stored, once',
  },
  'forgets the events of a file': {
    make: added((given) => ({ ...given, events: [] })),
    foundBy: append,
  },
  'forgets the keys of files': {
    make: added((given) => ({ ...given, idempotency: undefined })),
    foundBy: keyFirst,
  },
  'folds the case of the keys of files': {
    make: added(({ idempotency, ...given }) => ({
      ...given,
      idempotency: idempotency && { ...idempotency, key: idempotency.key.toLowerCase() },
    })),
    foundBy: keyFirst,
  },
  'judges the version before the key of a file': {
    make: () =>
      withDeals(({ deals }) => ({
        addWorkFile: async (tenant, given) => {
          const found = await settle(deals.byId(tenant, given.deal_id));
          return found !== undefined && found.version !== given.version
            ? ok({ outcome: 'stale' })
            : deals.addWorkFile(tenant, given);
        },
      })),
    foundBy: keyFirst,
  },
  'judges the deal before the key of a file': {
    make: () =>
      withDeals(({ deals }) => ({
        addWorkFile: async (tenant, given) => {
          const found = await settle(deals.byId(tenant, given.deal_id));
          return found === undefined
            ? ok({ outcome: 'missing' })
            : deals.addWorkFile(tenant, given);
        },
      })),
    foundBy: keyFirst,
  },
  'remembers the key of a file that was refused': {
    make: () =>
      withDeals(({ deals }) => {
        const refused = new Map<string, WorkFile>();
        return {
          addWorkFile: async (tenant, given): Promise<Awaited<ReturnType<AddWorkFile>>> => {
            const { key, fingerprint } = given.idempotency ?? { key: '', fingerprint: '' };
            const file = refused.get(key);
            if (file !== undefined) {
              return ok({ outcome: 'exists', by: 'idempotency_key', first: { fingerprint, file } });
            }
            const outcome = await settle(deals.addWorkFile(tenant, given));
            if (outcome.outcome === 'stale' && key !== '') refused.set(key, given.file);
            return ok(outcome);
          },
        };
      }),
    foundBy: versions,
  },
  'has one set of keys for files and deals': {
    make: () =>
      withDeals(({ deals }) => {
        const used = new Set<string>();
        return {
          addWorkFile: (tenant, given) => {
            if (given.idempotency) used.add(given.idempotency.key);
            return deals.addWorkFile(tenant, given);
          },
          add: async (tenant, given) => {
            const { key = '', fingerprint = '' } = given.idempotency ?? {};
            return used.has(key) && tenant.partner === 'acme'
              ? ok({ outcome: 'exists', by: 'idempotency_key', first: { fingerprint } })
              : deals.add(tenant, given);
          },
        };
      }),
    foundBy: 'keeps keys of files apart from keys of deals, and of tenants',
  },
  'gives a file to the first stage': {
    make: () =>
      withDeals(({ deals }) => ({
        addWorkFile: async (tenant, given) => {
          const found = await settle(deals.byId(tenant, given.deal_id));
          const stage_id = found?.value.stages[0]?.id ?? given.file.stage_id;
          return deals.addWorkFile(tenant, { ...given, file: { ...given.file, stage_id } });
        },
      })),
    foundBy: append,
  },
  'loses files when a deal is saved': {
    make: () =>
      withDeals(({ deals }) => ({
        byId: async (tenant, id) => {
          const read = await settle(deals.byId(tenant, id));
          if (read?.value.status !== 'accepted') return ok(read);
          const stages = read.value.stages.map((stage) => ({ ...stage, work_files: [] }));
          return ok({ ...read, value: { ...read.value, stages } });
        },
      })),
    foundBy: 'keeps files through saves, and the first answer too',
  },
  'takes files of a partner who is not the owner': {
    make: () =>
      withDeals(({ deals }) => ({
        addWorkFile: async (tenant, given) => {
          const outcome = await settle(deals.addWorkFile(tenant, given));
          return outcome.outcome === 'missing'
            ? deals.addWorkFile({ environment: 'sandbox', partner: 'acme' }, given)
            : ok(outcome);
        },
      })),
    foundBy: 'finds no deal to add a file to elsewhere',
  },
  'cuts the names of files as paths': {
    make: added((given) => ({
      ...given,
      file: { ...given.file, name: given.file.name.split('/').at(-1) ?? '' },
    })),
    foundBy: append,
  },
  'calls every content recorded': {
    make: () => withDeals(() => ({ recordedWorkFiles: (_, ids) => ok(ids) })),
    foundBy: recorded,
  },
  'calls all contents recorded, whichever it is asked of': {
    make: () =>
      withDeals(({ deals }) => {
        const all = new Set<string>();
        return {
          addWorkFile: (tenant, given) => {
            all.add(given.file.id);
            return deals.addWorkFile(tenant, given);
          },
          recordedWorkFiles: () => ok([...all]),
        };
      }),
    foundBy: recorded,
  },
  'keeps the file that it was given': {
    make: () =>
      withDeals(({ deals }) => {
        const given = new Map<number, WorkFile>();
        return {
          addWorkFile: (tenant, addition) => {
            given.set(addition.deal_id, addition.file);
            return deals.addWorkFile(tenant, addition);
          },
          byId: async (tenant, id) => {
            const read = await settle(deals.byId(tenant, id));
            const file = given.get(id);
            if (read === undefined || file === undefined) return ok(read);
            const stages = read.value.stages.map((stage) => ({
              ...stage,
              work_files: stage.work_files.map((each) => (each.id === file.id ? file : each)),
            }));
            return ok({ ...read, value: { ...read.value, stages } });
          },
        };
      }),
    foundBy: copies,
  },
  'hands out the first answer that it keeps': {
    make: () =>
      withDeals(({ deals }) => {
        const kept = new Map<string, ReturnType<AddWorkFile>>();
        return {
          addWorkFile: (tenant, given) => {
            const key = given.idempotency?.key ?? '';
            const known = key === '' ? undefined : kept.get(key);
            const outcome = known ?? deals.addWorkFile(tenant, given);
            if (given.version !== 1) kept.set(key, outcome);
            return outcome;
          },
        };
      }),
    foundBy: copies,
  },
};
