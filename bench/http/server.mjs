// One contender in a process of its own: it reports its port, then how busy it was.
import { serveContender } from '../contender.mjs';

const [name, token] = process.argv.slice(2);
const { listen } = await import(`./contenders/${name}.mjs`);
const server = await listen({ token, tenant: { environment: 'production', partner: 'acme' } });
const { port } = server.address();
let cpu = process.cpuUsage();

serveContender(() => {
  const { user, system } = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  return { port, cpuMicroseconds: user + system };
});
