// Every version of TypeScript that is tried, with every setting: npm run types
import { createConsumer, type Settings, versions } from './consumer.js';

const settings: Settings[] = [];
for (const resolution of ['node16', 'nodenext', 'bundler'] as const) {
  for (const skipLibCheck of [false, true]) {
    for (const of of ['entry points', 'everything'] as const) {
      settings.push({ resolution, skipLibCheck, of });
    }
  }
}
const consumer = await createConsumer();
try {
  for (const version of versions) {
    for (const each of settings) {
      const errors = await consumer.errors(version, each);
      const lib = each.skipLibCheck ? 'skipLibCheck' : 'all declarations';
      const what = [version, each.resolution, lib, each.of].join(', ');
      process.stdout.write(`${what}: ${errors.length} errors\n`);
      for (const error of errors) process.stdout.write(`${error}\n`);
      if (errors.length > 0) process.exitCode = 1;
    }
  }
} finally {
  consumer.remove();
}
