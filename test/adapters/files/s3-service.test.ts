import { createS3FileStore } from 'dealwright/s3';
import { fileStoreContract } from 'dealwright/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Swift, startSwift } from '../../kit/swift/swift.js';

let swift: Swift;
beforeAll(async () => {
  swift = await startSwift();
}, 600_000);
afterAll(() => swift?.stop());

describe('in a bucket', () => {
  fileStoreContract({ describe, it }, async () => ({
    ...createS3FileStore({ ...swift.options, bucket: await swift.makeBucket() }),
    close: async () => undefined,
  }));
});
