/** `npm run build:resource-server`: `dist/resource-server` as it is published. */
import { join } from 'node:path';
import { buildPackage } from '../../client/build/package';

buildPackage({
  name: '@septet/resource-server',
  description:
    'Guards resources: access tokens of Septet, proofs of possession and revocations, checked where they are used.',
  source: __dirname,
  entry: 'index',
  readme: '../packages/resource-server/README.md',
  target: process.argv[2] ?? join(__dirname, '..', '..', '..', 'dist', 'resource-server'),
  dependencies: ['eventsource-parser'],
});
