import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpStore, createStoreHandler } from 'dealwright/http-store';
import { createMemoryStore } from 'dealwright/memory';
import { createNodeListener } from 'dealwright/node';
import { deliveryContract, storeContract } from 'dealwright/spec';
import { describe, it } from 'vitest';
import { runGroups } from '../../kit/groups.js';
import { createPair, secret } from './pair.js';

describe('a store over HTTP, without a network', () => {
  const makeStore = () => {
    const { store } = createPair(createMemoryStore());
    return { ...store, close: async () => undefined };
  };
  storeContract({ describe, it }, makeStore);
  deliveryContract({ describe, it }, makeStore);
});

describe('a store over HTTP', () => {
  const makeStore = async () => {
    const server = createServer(
      createNodeListener(createStoreHandler(createMemoryStore(), { secret })),
    );
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    return {
      ...createHttpStore({ baseUrl: `http://127.0.0.1:${port}/store`, secret }),
      close: async () => {
        server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
      },
    };
  };
  const groups = [
    'store: writes that come again',
    'store: reads of deals',
    'store: events',
    'store: writes at the same time',
  ];
  runGroups(groups, (runner) => storeContract(runner, makeStore));
});
