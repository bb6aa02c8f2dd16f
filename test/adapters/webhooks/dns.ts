import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** The bytes of an address in a record. */
function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [before = '', after = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [head, tail] = [groups(before), groups(after)];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const all = [...head, ...zeros, ...tail].map((group) => group.padStart(4, '0'));
  return Buffer.from(all.join(''), 'hex');
}

/** The answer to a question for one name (RFC 1035): the records of its type, valid for 0 seconds. */
function answerTo(question: Buffer, addresses: readonly string[]): Buffer {
  const end = question.indexOf(0, 12) + 5;
  const isV4 = question.readUInt16BE(end - 4) === 1;
  const records = addresses
    .filter((each) => isIPv4(each) === isV4)
    .map((each) => {
      const data = bytesOf(each);
      // a pointer to the name of the question, its type, class, age, and the length of the address
      const head = Buffer.from([0xc0, 12, 0, isV4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([head, data]);
    });
  const header = Buffer.from([
    ...question.subarray(0, 2),
    0x81,
    0x80,
    0,
    1,
    0,
    records.length,
    0,
    0,
    0,
    0,
  ]);
  return Buffer.concat([header, question.subarray(12, end), ...records]);
}

/**
 * A name server on this machine that answers every name with the addresses of `addressesOf`, and
 * its address.
 */
export async function startDns(
  addressesOf: (name: string, asked: number) => readonly string[] | 'silent',
) {
  const socket = createSocket('udp4');
  const asked = new Map<string, number>();
  socket.on('message', (question, from) => {
    const labels: string[] = [];
    for (let at = 12; question[at] !== 0; at += 1 + (question[at] ?? 0)) {
      labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)));
    }
    const name = labels.join('.').toLowerCase();
    const end = question.indexOf(0, 12) + 5;
    const key = `${name} ${question.readUInt16BE(end - 4)}`;
    const times = asked.get(key) ?? 0;
    asked.set(key, times + 1);
    const addresses = addressesOf(name, times);
    if (addresses === 'silent') return;
    socket.send(answerTo(question, addresses), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver();
  const server = `127.0.0.1:${socket.address().port}`;
  resolver.setServers([server]);
  return {
    asked,
    server,
    async resolve(name: string): Promise<readonly string[]> {
      const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    },
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}
