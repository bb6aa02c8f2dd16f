import type { FileUpload, PartnerApi } from 'dealwright';
import { createMemoryFileStore } from 'dealwright/memory';
import type { FileStore, MarketplacePorts } from 'dealwright/ports';
import { expect } from 'vitest';
import { contractorBody, dealBody } from '../domain/field-tables.js';
import { acme, marketplaceWith } from './marketplace-with.js';

export const bytes = Uint8Array.of(0x61, 0x62, 0x63);
export const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
export const upload: FileUpload = { name: 'draft.txt', content: bytes };
export const keyed = { idempotencyKey: 'key-1' };

/** A marketplace with a deal of this many stages. */
export async function withDeal(
  ports: { readonly [P in keyof MarketplacePorts]?: unknown } = {},
  stages = 1,
) {
  const files = (ports.files ?? createMemoryFileStore()) as FileStore;
  const { api, store } = marketplaceWith(
    { ...ports, files },
    {
      fileLimit: 10,
      stagePlanner: ({ budget, name, work_days }) =>
        Array.from({ length: stages }, (_, index) => ({
          name: `${name} ${index}`,
          budget: (index === 0 ? budget : 0n) as typeof budget,
          work_days,
        })),
    },
  );
  expect((await api.registerContractor(contractorBody)).isOk()).toBe(true);
  const { id, stage_ids } = (await api.createDeal(dealBody))._unsafeUnwrap();
  const kept = async () => (await files.list(acme, undefined))._unsafeUnwrap();
  return { api, store, files, id, stage_ids, kept };
}

/** A content that reports how far it was read. */
export function watched(...pieces: readonly Uint8Array[]) {
  const seen = { read: 0, isEnded: false };
  async function* content(): AsyncGenerator<Uint8Array> {
    try {
      for (const piece of pieces) {
        seen.read += 1;
        yield piece;
      }
    } finally {
      seen.isEnded = true;
    }
  }
  return { seen, content: content() };
}

export const errorOf = async (api: PartnerApi<never>, id: number, input: object) => {
  const error = (await api.uploadFile({ id }, input as FileUpload))._unsafeUnwrapErr();
  return error.code === 'validation_failed'
    ? error.errors.map(({ path, code }) => [...path, code].join(' '))
    : error.code;
};
