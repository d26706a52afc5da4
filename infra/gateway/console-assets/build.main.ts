/** `npm run build:web`: writes the console bundle beside the compiled JavaScript. Usage: build.main.ts <build directory>. */
import { join, resolve } from 'node:path';
import { bundleConsole, consoleDirectory, consoleSourcesIn } from './bundle';
import { writeBundle } from './load-bundle';

const target = process.argv[2];
if (target === undefined) throw new Error('Name the directory of the build.');
writeBundle(
  bundleConsole(consoleSourcesIn(join(__dirname, '..', '..', '..'))),
  join(consoleDirectory(resolve(target)), 'assets'),
);
