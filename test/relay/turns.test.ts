import { createMarketplace } from 'dealwright';
import { createRelay } from 'dealwright/relay';
import { createSystemPorts } from 'dealwright/system';
import { expect, it, vi } from 'vitest';
import { createPorts } from '../kit/ports.js';
import { createDeal } from './kit.js';

it('lets others have their turn while it catches up over a store that answers at once', async () => {
  const marketplace = createMarketplace({ ...createPorts(), ...createSystemPorts() });
  const count = 1_000;
  for (let made = 0; made < count; made += 1) await createDeal(marketplace, `deal-${made}`);
  let handled = 0;
  const running = createRelay(marketplace).subscribe(
    () => {
      handled += 1;
      const begin = performance.now();
      while (performance.now() < begin + 0.5);
    },
    { types: ['deal.created'] },
  );
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(handled).toBeLessThan(count);
  await vi.waitFor(() => expect(handled).toBe(count), 20_000);
  await running.stop();
});
