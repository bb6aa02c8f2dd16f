import { createRequire } from 'node:module';
import { Command } from 'commander';
import { addClientCommands } from './client-commands.js';
import { usageExit } from './exit-codes.js';
import { say } from './problem.js';
import { addServe, addStoreCommands, serveEnvironment } from './service-commands.js';
import { unknownSettings } from './settings.js';

const overview = `
The commands other than serve, migrate, dump, restore and sweep call a service:
  DEALWRIGHT_URL    where it is (default http://127.0.0.1:8787)
  DEALWRIGHT_TOKEN  the API token
${serveEnvironment.replace('Environment:', 'Environment of serve:')}  $ DEALWRIGHT_TOKEN=s3cret dealwright deals list

Run dealwright <command> --help for its options.
`;

/** The command line. `parseAsync` answers when the work is done; the code is the process's. */
export function createProgram(process: NodeJS.Process): Command {
  const program = new Command('dealwright')
    .description('The freelance-deals back end: contractors and deals over HTTP.')
    .version(version(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'dealwright: ')),
    })
    .addHelpText('after', overview)
    .hook('preAction', (_, acted) => {
      if (acted.opts()['json'] === true) return;
      // a setting whose name is mistyped would do nothing, and say nothing
      for (const complaint of unknownSettings(process.env)) say(process, complaint);
    });
  addServe(program, process);
  addClientCommands(program, process);
  addStoreCommands(program, process);
  pointToHelp(program, process, program.name());
  return program;
}

/** A command that is given wrongly shows its own help. */
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
  const { version } = read('dealwright/package.json') as { readonly version: string };
  return version;
}
