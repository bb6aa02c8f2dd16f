// The load: plain sockets, one request at a time on each, and as little work a request as can be,
// so that the server is what is measured. autocannon costs more than the fastest contender does.
import { connect } from 'node:net';
import { serveContender } from '../contender.mjs';
import { deal } from '../validation/cases.mjs';

const digits = 12;
const token = process.argv[2];
const created = Buffer.from('HTTP/1.1 201');
const endOfHead = Buffer.from('\r\n\r\n');
const endOfChunks = Buffer.from('\r\n0\r\n\r\n');

// no two requests of any round name the same deal
let lastDeal = 0;

/** A request to create a deal, with the place of the figures that tell deals apart. */
function requestTemplate(port) {
  const mark = '0'.repeat(digits);
  const body = JSON.stringify({ ...deal, partner_id: `deal-${mark}` });
  const head = [
    'POST /api/1.0/deal/ HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Token ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  return { bytes, at: bytes.indexOf(`deal-${mark}`) + 'deal-'.length };
}

function writeNumber(bytes, at, number) {
  let rest = number;
  for (let place = at + digits - 1; place >= at; place -= 1) {
    bytes[place] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

/** Whether the bytes hold a whole response. */
function isWhole(bytes) {
  const head = bytes.indexOf(endOfHead);
  if (head < 0) return false;
  const text = bytes.latin1Slice(0, head);
  const at = text.search(/content-length:/i);
  if (at >= 0) return bytes.length >= head + 4 + Number.parseInt(text.slice(at + 15), 10);
  return bytes.indexOf(endOfChunks, head + 2) >= 0;
}

/** One connection that asks again as soon as it is answered, until it is told to stop. */
function openConnection(port, template, run) {
  const request = Buffer.from(template.bytes);
  let pending;
  const send = () => {
    lastDeal += 1;
    writeNumber(request, template.at, lastDeal);
    socket.write(request);
  };
  const receive = (length, buffer) => {
    const part = buffer.subarray(0, length);
    const bytes = pending === undefined ? part : Buffer.concat([pending, part]);
    if (!isWhole(bytes)) {
      pending = Buffer.from(bytes);
      return true;
    }
    pending = undefined;
    if (bytes.compare(created, 0, created.length, 0, created.length) !== 0) {
      run.fail(new Error(`not created: ${bytes.toString()}`));
    }
    run.answered += 1;
    if (run.isOver) socket.end();
    else send();
    return true;
  };
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: { buffer: Buffer.allocUnsafe(8192), callback: receive },
  });
  return new Promise((resolve, reject) => {
    socket.on('connect', send);
    socket.on('close', resolve);
    socket.on('error', reject);
  });
}

/**
 * Looks for answers without ever going to sleep: waking a process costs whoever writes to it, and
 * more so the slower contenders, in whose turns the load has more time to fall asleep.
 */
function stayAwake(run) {
  if (!run.isOver) setImmediate(stayAwake, run);
}

serveContender(async ({ port, connections, milliseconds, isAwake = true }) => {
  const template = requestTemplate(port);
  const failures = [];
  const run = { answered: 0, isOver: false, fail: (error) => failures.push(error) };
  const cpu = process.cpuUsage();
  const begin = performance.now();
  if (isAwake) stayAwake(run);
  const open = Array.from({ length: connections }, () => openConnection(port, template, run));
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const { answered } = run;
  const seconds = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  run.isOver = true;
  await Promise.all(open);
  if (failures.length > 0) return { error: failures[0].message };
  return { perSecond: answered / seconds, busy: (user + system) / 1e6 / seconds };
});
