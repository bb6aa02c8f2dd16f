import type { ClockAdvance, SandboxActor } from 'dealwright';
import { asking, type CommandRow, examples, fieldOptions, keyOption } from './command-row.js';
import { clockFields, commandFields, fieldsOfCommands, membersOf, strayFlags } from './fields.js';
import { giveCommand } from './life-commands.js';
import { formatRecord } from './output.js';
import type { Session } from './session.js';

/** All actors, with their commands. */
const actors = Object.entries(fieldsOfCommands)
  .map(([actor, own]) => `  ${actor.padEnd(10)}  ${Object.keys(own).join(', ')}\n`)
  .join('');

/** The further commands of a partner in the sandbox. */
export const sandboxCommands: Readonly<Record<string, CommandRow>> = {
  'sandbox as': {
    description: 'give a deal a command of any actor',
    arguments: {
      '<actor>': Object.keys(fieldsOfCommands).join(', '),
      '<command>': 'one of this actor',
      '<partner-id>': 'your own id of the deal',
    },
    options: [...fieldOptions(commandFields), keyOption],
    help: `\nCommands:\n${actors}${examples(
      'dealwright sandbox as freelancer accept order-2',
      'dealwright sandbox as operator resolve order-2 --agreed-amount 250.00',
    )}`,
    ...asking(actAs),
  },
  'sandbox clock': {
    description: "move your partner's time forward; what is due then is done",
    options: fieldOptions(clockFields),
    help: examples('dealwright sandbox clock --advance-seconds 604800'),
    ...asking(moveClock),
  },
};

async function actAs(
  session: Session,
  actor: string,
  command: string,
  partnerId: string,
): Promise<number> {
  const own = Object.entries(fieldsOfCommands).find(([name]) => name === actor)?.[1];
  if (own === undefined) {
    return session.complain(`an actor is one of ${Object.keys(fieldsOfCommands).join(', ')}`);
  }
  const fields = Object.entries(own).find(([name]) => name === command)?.[1];
  if (fields === undefined) {
    return session.complain(`a command of ${actor} is one of ${Object.keys(own).join(', ')}`);
  }
  const stray = strayFlags(fields, commandFields, session.flags);
  if (stray.length > 0) return session.complain(`${command} has no ${stray.join(', ')}`);
  return giveCommand(session, fields, (input) =>
    session
      .sandbox()
      .command(partnerId, actor as SandboxActor, command, input as object, session.call),
  );
}

async function moveClock(session: Session): Promise<number> {
  const members = membersOf(clockFields, session.flags);
  if (members.isErr()) return session.complain(members.error);
  const input: unknown = members.value;
  const moved = await session.sandbox().advanceClock(input as ClockAdvance, session.call);
  return session.answer(moved, (time) => formatRecord(time, session.width));
}
