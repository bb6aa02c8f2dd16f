import { createMarketplace } from 'dealwright';
import type { ArchiveRecord } from 'dealwright/ports';
import type { Result } from 'neverthrow';
import { createPorts } from '../../kit/ports.js';
import { contractor, deal, dealV2, tenant } from '../../kit/requests.js';
import { listOf } from './archive-text.js';

/** A store with one record of every kind, and these contents of work files. */
export async function createArchivedStore(contents: readonly Uint8Array[] = [Uint8Array.of(1)]) {
  const ports = createPorts();
  const { store, files } = ports;
  const api = createMarketplace(ports).partner(tenant);
  const options = { idempotencyKey: 'key' };
  must(await api.registerContractor(contractor, options));
  const { id } = must(await api.createDeal(deal, options));
  must(await api.createDealV2(dealV2));
  for (const [at, content] of contents.entries()) {
    const pieces = (async function* () {
      // as the pieces of a line, of any size
      for (let from = 0; from < content.length; from += 50_001) {
        yield content.subarray(from, from + 50_001);
      }
    })();
    const upload = { name: `file ${at}`, content: pieces };
    must(await api.uploadFile({ id }, upload, { idempotencyKey: `file-${at}` }));
  }
  const records: ArchiveRecord[] = await listOf(store.archive.dump());
  return { store, files, records };
}

function must<T>(result: Result<T, unknown>): T {
  if (result.isErr()) throw new Error(JSON.stringify(result.error));
  return result.value;
}
