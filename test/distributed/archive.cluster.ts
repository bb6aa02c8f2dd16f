import { createMemoryStore } from 'dealwright/memory';
import { createPostgresArchive } from 'dealwright/postgres';
import { type StoreArchiveSubject, storeArchiveContract } from 'dealwright/spec';
import { afterAll, describe, it } from 'vitest';
import { type ClusterSchema, createClusterSchema } from './cluster.js';

// schemas are made when cases need them, and used again: to make one takes seconds
const free: ClusterSchema[] = [];
const all: ClusterSchema[] = [];
afterAll(async () => {
  for (const each of all) await each.close();
});

async function takeSchema(): Promise<ClusterSchema> {
  const known = free.pop();
  if (known !== undefined) return known;
  const made = await createClusterSchema();
  all.push(made);
  return made;
}

async function makeCluster(): Promise<StoreArchiveSubject> {
  const cluster = await takeSchema();
  await cluster.clear();
  const client = await cluster.pool.connect();
  return {
    ...cluster.createStore({ by: 'node' }),
    archive: createPostgresArchive(client, { schema: cluster.schema }),
    async close() {
      client.release();
      free.push(cluster);
    },
  };
}

function makeMemory(): StoreArchiveSubject {
  return { ...createMemoryStore(), close: async () => undefined };
}

describe('from memory to a cluster', () => {
  storeArchiveContract({ describe, it, limit: 300_000 }, makeMemory, makeCluster);
});
describe('from a cluster to memory', () => {
  storeArchiveContract({ describe, it, limit: 300_000 }, makeCluster, makeMemory);
});
