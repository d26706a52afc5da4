/** `npm run build:ratelimit`: `dist/ratelimit` as it is published. */
import { join } from 'node:path';
import { buildPackage } from '../../client/build/package';

buildPackage({
  name: '@septet/ratelimit',
  description: 'Rate limits that all processes share: a policy, a Redis, and exact decisions in one round trip.',
  source: __dirname,
  entry: 'ratelimit/src/index',
  readme: '../packages/ratelimit/README.md',
  target: process.argv[2] ?? join(__dirname, '..', '..', '..', 'dist', 'ratelimit'),
  dependencies: ['ioredis', 'luxon'],
});
