import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolderFileStore } from 'dealwright/files';
import { expect, it } from 'vitest';
import { fill, useDataFolder } from './data-folder.js';
import { run } from './dealwright.js';

const { at, data, environment, pathOf, start } = useDataFolder();

const acme = { environment: 'sandbox', partner: 'acme' } as const;
const markerOf = (folder: string) => readFileSync(join(folder, 'files', 'store-id'), 'utf8').trim();
const command = (...args: string[]) => run(args, environment()).ended;

/** Serves, uploads a file, and stops. */
async function filled() {
  const service = await start();
  const { file } = await fill(service, new Uint8Array(10));
  service.child.kill('SIGTERM');
  await service.ended;
  return file;
}

it('is kept beside the files, and goes with an archive to another folder', async () => {
  await filled();
  const id = markerOf(data());
  expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  const archive = join(at.folder, 'deals.ndjson');
  expect(await command('dump', '--out', archive, '--quiet')).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(archive, 'utf8').split('\n')[0] ?? '')).toMatchObject({
    store: id,
  });
  const other = join(at.folder, 'other');
  const restored = await run(['restore', archive, '--quiet'], environment(other)).ended;
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  const swept = await run(['sweep'], environment(other)).ended;
  expect(swept).toMatchObject({ code: 0, stderr: '' });
  expect(markerOf(other)).toBe(id);
});

it.each([
  ['which belong to another', true, /files belongs to another database: to the store \w{26}, and/],
  ['of which nobody is known', false, /there are work files in .*files, and the database names/],
])(
  'refuses another database beside work files %s, until they are adopted',
  async (_, isOwned, says) => {
    const file = await filled();
    const path = pathOf(file.id);
    const before = markerOf(data());
    if (!isOwned) rmSync(join(data(), 'files', 'store-id'));
    renameSync(join(data(), 'deals.db'), join(at.folder, 'away.db'));
    for (const args of [['serve'], ['sweep']]) {
      if (args[0] === 'sweep') expect((await command('migrate')).code).toBe(0);
      const refused = await command(...args);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toMatch(says);
      expect(refused.stderr).toContain('dealwright files adopt');
      expect(existsSync(path)).toBe(true);
    }
    const emptied = await command('files', 'trash', '--empty');
    expect(emptied).toMatchObject({ code: 2, stderr: expect.stringMatching(says) });
    const adopted = await command('files', 'adopt');
    expect(adopted).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        isOwned
          ? `files belongs to the store \\w{26} now; it belonged to the store ${before}`
          : / now\n$/,
      ),
    });
    expect(markerOf(data())).not.toBe(before);
    expect(await command('files', 'adopt')).toMatchObject({
      stdout: expect.stringMatching(/^Nothing to do/),
    });
    expect(await command('sweep')).toMatchObject({ code: 0, stderr: '' });
  },
);

it('shows its trash, brings it back and empties it', async () => {
  const file = await filled();
  const path = pathOf(file.id);
  expect(await command('files', 'trash')).toMatchObject({ stdout: 'the trash is empty\n' });
  const files = createFolderFileStore({ folder: join(data(), 'files') });
  const trash = () => files.trash.put(acme, file.id, Date.UTC(2026, 0, 1));
  expect(await trash()).toMatchObject({ value: 'trashed' });
  expect(existsSync(path)).toBe(false);
  const shown = await command('files', 'trash');
  expect(shown.stdout).toMatch(new RegExp(`2026-01-01T00:00:00.000Z +sandbox +acme +${file.id}`));
  expect(await command('files', 'trash', '--restore')).toMatchObject({
    code: 0,
    stdout: 'Restored 1 files\n',
  });
  expect(existsSync(path)).toBe(true);
  await trash();
  expect(await command('sweep')).toMatchObject({
    stdout: expect.stringContaining('restored 1 that one names'),
  });
  expect(existsSync(path)).toBe(true);
  const orphan = '01KDVE00000000000000000001';
  writeFileSync(path.replace(file.id, orphan), 'left');
  expect(await command('sweep')).toMatchObject({
    stdout: expect.stringContaining('moved 1 files to the trash'),
  });
  expect(await command('files', 'trash', '--empty')).toMatchObject({
    code: 0,
    stdout: 'Deleted 1 files\n',
  });
  expect(await command('files', 'trash')).toMatchObject({ stdout: 'the trash is empty\n' });
  expect(await command('files', 'trash', '--empty', '--restore')).toMatchObject({ code: 2 });
});

it('names the folder, and what is wrong with the id of its store', async () => {
  await filled();
  const marker = join(data(), 'files', 'store-id');
  writeFileSync(marker, 'nonsense');
  for (const args of [['serve'], ['sweep'], ['files', 'trash', '--empty']]) {
    const refused = await command(...args);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toBe(
      `dealwright: ${join(data(), 'files')} cannot be used: ${marker} does not have the id of a store\n`,
    );
  }
  expect(await command('files', 'adopt')).toMatchObject({ code: 0 });
  expect(await command('sweep')).toMatchObject({ code: 0, stderr: '' });
});
