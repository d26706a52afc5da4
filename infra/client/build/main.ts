/** `npm run build:client`: `dist/client` as it is published. */
import { join } from 'node:path';
import { buildPackage } from './package';

buildPackage({
  name: '@septet/client',
  description: 'Typed client of Septet: commands that are done once, queries that see them, streams that come back.',
  source: __dirname,
  entry: 'index',
  readme: '../packages/client/README.md',
  target: process.argv[2] ?? join(__dirname, '..', '..', '..', 'dist', 'client'),
  dependencies: ['eventsource-parser'],
});
