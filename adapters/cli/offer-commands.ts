import type { FreelancerApi, FreelancerEvent, Reasoned } from 'dealwright';
import { commandsOf, lifecycle, methodOf } from 'dealwright/life';
import {
  asking,
  type CommandRow,
  examples,
  fieldOptions,
  keyOption,
  option,
  sizeOption,
} from './command-row.js';
import { again, dealText } from './deal-commands.js';
import { fieldsOfCommands } from './fields.js';
import { downloadOptions, saveFile, sendFile, showFiles, uploadOptions } from './file-commands.js';
import { giveCommand } from './life-commands.js';
import { formatTable } from './output.js';
import type { Session } from './session.js';
import { parseNumber } from './settings.js';

type FreelancerMethod = keyof Pick<FreelancerApi, 'accept' | 'decline' | 'deliver' | 'dispute'>;

/** The effect of each command of a freelancer, if its name does not tell it. */
const does: Readonly<Partial<Record<FreelancerMethod, string>>> = {
  accept: 'accept the deal',
  decline: 'decline the deal, while no work is delivered',
  deliver: 'deliver the work: each stage needs a file; counts as acceptance',
  dispute: 'stop everything until an operator resolves it',
};

/** A command that sends a payment token. */
const byToken = (work: (session: Session, ...given: string[]) => Promise<number>) =>
  asking(work, 'DEALWRIGHT_PAYMENT_TOKEN');

/** The commands of a freelancer for the one deal of a payment token. */
export const offerCommands: Readonly<Record<string, CommandRow>> = {
  'offer view': {
    description: 'show the deal as its freelancer sees it',
    ...byToken(async (session) =>
      session.answer(await session.offer().view(session.call), (deal) =>
        dealText(deal, session.width),
      ),
    ),
  },
  ...Object.fromEntries(
    commandsOf(lifecycle, 'freelancer').map((command) => {
      const fields = fieldsOfCommands.freelancer[command] ?? {};
      const method = methodOf(command);
      return [
        `offer ${command}`,
        {
          description: does[method] ?? `give the deal the command ${command}`,
          options: [...fieldOptions(fields), keyOption],
          ...byToken((session) =>
            giveCommand(session, fields, (input) =>
              session.offer()[method](input as Reasoned, session.call),
            ),
          ),
        },
      ];
    }),
  ),
  'offer upload': {
    description: 'upload a file',
    arguments: { '<path>': 'the file; - is stdin, with --name' },
    options: uploadOptions,
    help: examples('dealwright offer upload draft.pdf --content-type application/pdf'),
    ...byToken((session, path = '') => sendFile(session, path, session.offer().uploadFile)),
  },
  'offer files': {
    description: 'list the files of the deal',
    ...byToken((session) => showFiles(session, session.offer().listFiles(session.call))),
  },
  'offer download': {
    description: 'download a file; nothing is overwritten',
    arguments: { '<file-id>': 'the id of the file, as offer files shows it' },
    options: downloadOptions,
    help: examples('dealwright offer download 01KDVE00000000000000000000 --out draft.pdf'),
    ...byToken((session, fileId = '') =>
      saveFile(session, () => session.offer().downloadFile(fileId, session.call)),
    ),
  },
  'offer events': {
    description: 'show what has happened to the deal, the oldest event first',
    options: [
      sizeOption,
      option('--after <cursor>', 'where to go on, as the last line before says'),
    ],
    ...byToken(listFreelancerEvents),
  },
};

async function listFreelancerEvents(session: Session): Promise<number> {
  const { call, flags, width } = session;
  const size = parseNumber('--page-size', flags.pageSize, 1, 100, 'events');
  if (size.isErr()) return session.complain(size.error);
  const query = {
    ...(size.value !== undefined && { page_size: size.value }),
    ...(flags.after !== undefined && { after: flags.after }),
  };
  const listed = await session.offer().listEvents(query, call);
  return session.answer(listed, ({ results, next }) => {
    const shown = results.length === 0 ? 'no events\n' : eventTable(results, width);
    return `${shown}\nnext: dealwright offer events ${again(session, { after: next })}\n`;
  });
}

function eventTable(events: readonly FreelancerEvent[], width: number | undefined): string {
  const rows = events.map(({ at, type, actor }) => [at, type, actor]);
  return formatTable(rows, { head: ['at', 'type', 'actor'], flexible: 2, width });
}
