import { createMarketplace } from 'dealwright';
import { drawStates, lifecycle } from 'dealwright/life';
import { expect, it } from 'vitest';
import { partnerRoutes } from '../../adapters/http/wire/partner.js';
import { createPorts } from '../kit/ports.js';
import { filled } from './filled.js';
import { commandSections } from './life-pages.js';

const page = (name: string) => new URL(`../../docs/reference/${name}.md`, import.meta.url).pathname;

// npx vitest run test/docs/life.test.ts -u writes both pages anew
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

it('the commands of the page are methods, and the paths of commands are on the page', () => {
  const marketplace = createMarketplace(createPorts());
  const tenant = { environment: 'sandbox', partner: 'acme' } as const;
  const interfaces: Readonly<Record<string, object>> = {
    'partner(tenant)': marketplace.partner(tenant),
    'freelancer(environment, payment_token)': marketplace.freelancer('sandbox', 'token'),
    'operator(environment).partner(partner)': marketplace.operator('sandbox').partner('acme'),
    'operator(environment)': marketplace.operator('sandbox'),
  };
  const sections = commandSections();
  const named = [...sections.matchAll(/`marketplace\.([^`]+)\.(\w+)`/g)];
  expect(named.length).toBeGreaterThan(20);
  expect(
    named.filter(([, face = '', method = '']) => !(method in (interfaces[face] ?? {}))),
  ).toEqual([]);
  const paths = Object.values(partnerRoutes).flatMap(({ input, by, path }) =>
    input === 'command' && by === 'partner_id' ? [path] : [],
  );
  expect(paths.filter((path) => !sections.includes(`\`POST ${path}\``))).toEqual([]);
  expect(paths.length).toBeGreaterThan(8);
});
