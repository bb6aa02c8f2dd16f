import { createRequire } from 'node:module';
import { Command } from 'commander';
import { type CommandRow, clientHelp, clientOptions } from './command-row.js';
import { commands, groups } from './commands.js';
import { serveHelp } from './help.js';
import { say, usageExit } from './problem.js';
import { unknownSettings } from './settings.js';

const overview = `
The commands other than help, serve, init, verify, lifecycle, mail preview, migrate, dump,
restore, prune, sweep, files adopt and files trash call a service:
  DEALWRIGHT_URL    where it is (default http://127.0.0.1:8787)
  DEALWRIGHT_TOKEN  the API token
  DEALWRIGHT_OPERATOR_TOKEN  the token of an operator, for payments
  DEALWRIGHT_PAYMENT_TOKEN  the payment token of a deal, for offer
${serveHelp.replace('Environment:', 'Environment of serve:')}  $ DEALWRIGHT_TOKEN=s3cret dealwright deals list

Run dealwright <command> --help for its options.
`;

/**
 * The command line. `parseAsync` resolves when the work is done; the exit code is set on the
 * process.
 */
export function createProgram(process: NodeJS.Process): Command {
  const program = new Command('dealwright')
    .description('The freelance-deals back end: contractors and deals over HTTP.')
    .version(version(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => process.stdout.write(text),
      writeErr: (text) => process.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'dealwright: ')),
    })
    .addHelpText('after', overview)
    .hook('preAction', (_, acted) => {
      if (acted.opts()['json'] === true) return;
      // a mistyped setting would have no effect, without a message
      for (const complaint of unknownSettings(process.env)) say(process, complaint);
    });
  for (const [path, row] of Object.entries(commands)) {
    const [name = '', group] = path.split(' ').reverse();
    addCommand(groupOf(program, group).command(name), row, process);
  }
  addHelp(program);
  pointToHelp(program, process, program.name());
  return program;
}

function groupOf(program: Command, name: string | undefined): Command {
  if (name === undefined) return program;
  const known = program.commands.find((each) => each.name() === name);
  return known ?? program.command(name).description(groups[name] ?? '');
}

function addCommand(command: Command, row: CommandRow, process: NodeJS.Process): void {
  const { description, arguments: taken = {}, options = [], help, asks, run } = row;
  command.description(description);
  for (const [name, text] of Object.entries(taken)) command.argument(name, text);
  for (const each of asks ? [...options, ...clientOptions(asks)] : options) {
    command.addOption(each);
  }
  if (asks) command.addHelpText('after', clientHelp(asks));
  if (help !== undefined) command.addHelpText('after', help);
  command.action(async () => {
    process.exitCode = await run(process, command.opts(), ...command.args);
  });
}

/** The help command of commander knows the commands of a program, but not those of its groups. */
function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('print the help of a command')
    .argument('[command...]', 'the words of the command, such as deals propose')
    .action((names: readonly string[]) => {
      let found = program;
      for (const name of names) {
        const next = found.commands.find((each) => each.name() === name);
        found = next ?? found.error(`error: unknown command '${name}'`);
      }
      found.help();
    });
}

/** After a wrong command line, a command points to its own help. */
function pointToHelp(command: Command, process: NodeJS.Process, path: string): void {
  const hint = `Run ${path} --help for what is there.`;
  command.showHelpAfterError(hint).hook('postAction', (_, acted) => {
    const isPlain = acted.opts()['json'] !== true;
    if (acted === command && process.exitCode === usageExit && isPlain) {
      process.stderr.write(`${hint}\n`);
    }
  });
  for (const each of command.commands) pointToHelp(each, process, `${path} ${each.name()}`);
}

function version(): string {
  const read = createRequire(import.meta.url);
  return read('dealwright/package.json').version;
}
