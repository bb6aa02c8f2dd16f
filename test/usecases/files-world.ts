import { createMarketplace } from 'dealwright';
import type { Tenant } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { contractorBody, dealBody } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';
import { acme } from './marketplace-with.js';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The ULID of a moment, and of a number within it. */
function ulidAt(time: number, number: number): string {
  let text = '';
  for (let rest = time, at = 0; at < 10; at += 1, rest = Math.floor(rest / 32)) {
    text = (alphabet[rest % 32] ?? '') + text;
  }
  return text + String(number).padStart(16, '0');
}

/** The report of a sweep that moved this many to the trash. */
export const swept = (kept: number, trashed: number) => ({
  kept,
  trashed,
  restored: 0,
  deleted: 0,
});

export const start = Date.UTC(2026, 0, 1);
export const hour = 60 * 60 * 1000;
export const day = 24 * hour;

export async function* content() {
  yield Uint8Array.of(1);
}

/** A marketplace whose time only the test moves, over contents without a claim. */
export function createUnclaimedWorld() {
  const timer = createManualClock(start);
  let number = 0;
  const ids = {
    next: () => {
      number += 1;
      return ulidAt(timer.now(), number);
    },
  };
  const ports = { ...createPorts(), timer, ids };
  const { files, store } = ports;
  const marketplace = createMarketplace(ports);
  const { owner: _, ...unowned } = files;
  // an upload claims unclaimed contents: versions before that did not
  const earlier = createMarketplace({ ...ports, files: unowned });
  return {
    timer,
    ports,
    ids,
    marketplace,
    /** The id of the store. */
    own: async () => (await store.identity?.())?._unsafeUnwrap() ?? '',
    /** The owner of the contents, by the file store. */
    owner: async () => (await files.owner.read())._unsafeUnwrap(),
    /** Stores a content without a record. */
    async orphan(time: number, at: number, tenant: Tenant = acme) {
      await files.put(tenant, ulidAt(time, at), content());
      return ulidAt(time, at);
    },
    /** Uploads a work file for a new deal, without a claim, and returns its id. */
    async upload(tenant: Tenant = acme) {
      const api = earlier.partner(tenant);
      await api.registerContractor(contractorBody);
      const { id } = (await api.createDeal(dealBody))._unsafeUnwrap();
      const file = { name: 'a', content: Uint8Array.of(1) };
      return (await api.uploadFile({ id }, file))._unsafeUnwrap().id;
    },
    kept: async (tenant: Tenant = acme) => (await files.list(tenant, undefined))._unsafeUnwrap(),
    trashed: async () => (await files.trash.list(acme, undefined))._unsafeUnwrap(),
  };
}

/** The same, with contents that are claimed by the store, as in a service at its start. */
export function createWorld() {
  const world = createUnclaimedWorld();
  world.marketplace.claimFiles();
  return world;
}
