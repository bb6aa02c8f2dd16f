import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import * as exits from '../../adapters/cli/problem.js';
import { createProgram } from '../../adapters/cli/program.js';

const page = readFileSync('docs/reference/command-line.md', 'utf8');

/** The commands in a heading: `a|b` is two. */
function namedBy(heading: string): string[] {
  const [, before = '', names = '', after = ''] =
    /^(.*?)([\w-]+(?:\|[\w-]+)+)(.*)$/.exec(heading) ?? [];
  return names === '' ? [heading] : names.split('|').map((name) => before + name + after);
}

const sections = page.split('\n## ').map((section) => {
  const end = section.indexOf('\n');
  return { names: namedBy(section.slice(0, end)), text: section.slice(end) };
});

/** The flags in the table below a heading: a row may have several. */
function flagsUnder(heading: string): string[] {
  const section = sections.find(({ names }) => names.includes(heading))?.text ?? '';
  const cells = [...section.matchAll(/^\| (`--[^|]+`) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(--[^`]+)`/g)].map(([, flag = '']) => flag));
}

interface Leaf {
  readonly heading: string;
  readonly flags: readonly string[];
}

function leavesOf(command: Command, names: readonly string[]): Leaf[] {
  if (command.commands.length > 0) {
    return command.commands.flatMap((each) => leavesOf(each, [...names, each.name()]));
  }
  const words = command.registeredArguments.map((argument) =>
    argument.required
      ? `<${argument.name()}>`
      : `[${argument.name()}${argument.variadic ? '...' : ''}]`,
  );
  return [
    { heading: [...names, ...words].join(' '), flags: command.options.map(({ flags }) => flags) },
  ];
}

const leaves = leavesOf(createProgram(process), ['dealwright']);

it('lists the commands of the program, and no others', () => {
  const listed = sections
    .flatMap(({ names }) => names)
    .filter((name) => name.startsWith('dealwright '));
  expect(listed.sort()).toEqual(leaves.map(({ heading }) => heading).sort());
  expect(leaves.length).toBeGreaterThanOrEqual(8);
});

it.each(leaves)('lists the flags of $heading, and no others', ({ heading, flags }) => {
  const shared =
    /^dealwright (help|serve|init|verify|lifecycle|mail preview|migrate|prune|sweep|dump|restore|files adopt|files trash)\b/.test(
      heading,
    )
      ? []
      : flagsUnder('Settings of the client commands');
  expect([...shared, ...flagsUnder(heading)].sort()).toEqual([...flags].sort());
});

it('lists the exit codes of the program', () => {
  const [section = ''] = page.split('\n## Exit codes\n')[1]?.split('\n## ') ?? [];
  const listed = [...section.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, codes = '']) =>
    codes.split(', ').map(Number),
  );
  const others = Object.entries(exits)
    .filter(([name, code]) => /Exit$/.test(name) && code !== exits.signalExit)
    .map(([, code]) => Number(code));
  const { signalExit } = exits;
  expect(listed).toEqual([0, ...others.sort(), signalExit + 2, signalExit + 15]);
});
