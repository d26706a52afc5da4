/** `npm run build:definitions`: writes the bundled parser into a build. The argument is the build's directory. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtScript, bundleLibrary } from './library';

const directory = join(process.argv[2] ?? 'dist', 'infra', 'workflow-definitions');
mkdirSync(directory, { recursive: true });
writeFileSync(join(directory, builtScript), bundleLibrary());
