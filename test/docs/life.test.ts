import { createMarketplace } from 'dealwright';
import {
  type Actor,
  commandsOf,
  describeCommands,
  drawStates,
  lifecycle,
  methodOf,
} from 'dealwright/life';
import { expect, it } from 'vitest';
import { allRoutes } from '../../adapters/http/wire/all-routes.js';
import { createPorts } from '../kit/ports.js';
import { filled } from './filled.js';
import { commandSections } from './life-pages.js';

const page = (name: string) => new URL(`../../docs/reference/${name}.md`, import.meta.url).pathname;

// npx vitest run test/docs/life.test.ts -u writes both pages again
it('docs/reference/commands.md has the commands of the table', async () => {
  const path = page('commands');
  await expect(filled(path, { commands: commandSections() })).toMatchFileSnapshot(path);
});

it('docs/reference/life-cycle.md has the diagrams of the table', async () => {
  const path = page('life-cycle');
  const parts = Object.entries(drawStates(lifecycle)).map(([kind, diagram]) => {
    return [kind, `\`\`\`mermaid\n${diagram}\`\`\``];
  });
  await expect(filled(path, Object.fromEntries(parts))).toMatchFileSnapshot(path);
});

it('each command is the method and the path of its actors that the page says', () => {
  const marketplace = createMarketplace(createPorts());
  const tenant = { environment: 'sandbox', partner: 'acme' } as const;
  const faces: Partial<Record<Actor, readonly [shown: string, api: object, place: string]>> = {
    partner: [
      'marketplace.partner(tenant)',
      marketplace.partner(tenant),
      '/api/2.0/deal/{partner_id}/',
    ],
    freelancer: [
      'marketplace.freelancer(environment, payment_token)',
      marketplace.freelancer('sandbox', 'token'),
      '/api/2.0/offer/',
    ],
    operator: [
      'marketplace.operator(environment).partner(partner)',
      marketplace.operator('sandbox').partner('acme'),
      '/operator/{partner}/deal/{partner_id}/',
    ],
  };
  const text = filled(page('commands'), {});
  for (const [actor, [shown, , place]] of Object.entries(faces)) {
    expect(text).toContain(`| ${actor} | \`${shown}\` | \`POST ${place}{command}/\` |`);
  }
  const given = describeCommands(lifecycle).flatMap(({ command, by }) => {
    // for a deal of version 1.0, a partner gives the commands of the freelancer
    const actors = by.includes('freelancer') ? new Set([...by, 'partner' as const]) : by;
    return [...actors].flatMap((actor) => {
      const [, api, place] = faces[actor] ?? [];
      // one about a proposal has a path of its own
      const own: readonly string[] = commandsOf(lifecycle, actor);
      const isGiven = own.includes(command);
      return api === undefined || !isGiven
        ? []
        : [{ api, method: methodOf(command), path: `${place}${command}/` }];
    });
  });
  expect(given.filter(({ api, method }) => !(method in api))).toEqual([]);
  const paths = allRoutes().flatMap(({ command, by, face, path }) =>
    command === undefined || by === 'partner_id_parameter' || face === 'sandbox' ? [] : [path],
  );
  expect([...new Set(given.map(({ path }) => path))].sort()).toEqual([...paths].sort());
});
