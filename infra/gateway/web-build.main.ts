/** `npm run build` puts the console's pages beside the JavaScript: web-build.main.ts <directory of the build>. */
import { join, resolve } from 'node:path';
import { bundle, sourcesOf } from './web-bundle';
import { writeBundle } from './web-files';

const target = process.argv[2];
if (target === undefined) throw new Error('Name the directory of the build.');
writeBundle(bundle(sourcesOf(join(__dirname, '..', '..'))), join(sourcesOf(resolve(target)), 'assets'));
