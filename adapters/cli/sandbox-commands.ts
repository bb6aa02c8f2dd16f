import type { ClockAdvance, SandboxActor } from 'dealwright';
import { asking, bodyOptions, type CommandRow, examples, fieldOptions } from './command-row.js';
import {
  clockFields,
  commandFields,
  type Fields,
  fieldsOfCommands,
  membersOf,
  strayFlags,
} from './fields.js';
import { giveCommand } from './life-commands.js';
import { formatRecord } from './output.js';
import { ofActor, proposalCommands, type TermsRow } from './proposal-commands.js';
import type { Session } from './session.js';

/** The sides of a deal, which both propose. */
const sides = ['partner', 'freelancer'] as const;

/** Names a proposal, which is an argument elsewhere. */
const proposalArgument = { proposal_id: { help: 'the proposal that a command is about' } };

const proposalFields = Object.fromEntries(
  Object.entries<TermsRow>(proposalCommands).map(([name, { fields, namesProposal }]) => [
    name,
    { ...fields, ...(namesProposal && proposalArgument) },
  ]),
);

/** The fields of all commands, by their actors. */
const fieldsOfActors: Readonly<Record<string, Readonly<Record<string, Fields>>>> = {
  ...fieldsOfCommands,
  ...Object.fromEntries(
    sides.map((side) => [side, { ...fieldsOfCommands[side], ...proposalFields }]),
  ),
};

const everyField = { ...proposalCommands.propose.fields, ...commandFields, ...proposalArgument };

/** All actors, with their commands. */
const actors = Object.entries(fieldsOfActors)
  .map(([actor, own]) => `  ${actor.padEnd(10)}  ${Object.keys(own).join(', ')}\n`)
  .join('');

/** The further commands of a partner in the sandbox. */
export const sandboxCommands: Readonly<Record<string, CommandRow>> = {
  'sandbox as': {
    description: 'give a deal a command of any actor',
    arguments: {
      '<actor>': Object.keys(fieldsOfActors).join(', '),
      '<command>': 'one of this actor',
      '<partner-id>': 'your own id of the deal',
    },
    options: bodyOptions(everyField),
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
  const own = Object.entries(fieldsOfActors).find(([name]) => name === actor)?.[1];
  if (own === undefined) {
    return session.complain(`an actor is one of ${Object.keys(fieldsOfActors).join(', ')}`);
  }
  const fields = Object.entries(own).find(([name]) => name === command)?.[1];
  if (fields === undefined) {
    return session.complain(`a command of ${actor} is one of ${Object.keys(own).join(', ')}`);
  }
  const ofFile = command === 'propose' || session.flags.file === undefined ? [] : ['--file'];
  const stray = [...strayFlags(fields, everyField, session.flags), ...ofFile];
  if (stray.length > 0) return session.complain(`${command} has no ${stray.join(', ')}`);
  const row = Object.entries<TermsRow>(proposalCommands).find(([name]) => name === command)?.[1];
  const side = sides.find((each) => each === actor);
  if (row !== undefined && side !== undefined) {
    const { proposalId = '' } = session.flags;
    if (row.namesProposal && proposalId === '')
      return session.complain(`${command} needs --proposal-id`);
    return row.run(session, ofActor(session, partnerId, side), proposalId, '');
  }
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
