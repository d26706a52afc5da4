/** `run.main.ts <linter> [argument ...]`: runs a linter of this folder's package in the project, and installs it before if it is missing. */
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { installSeparate } from '../separate-packages/install';

const [linter = '', ...args] = process.argv.slice(2);
installSeparate('checks');
const programs = join(__dirname, 'node_modules', '.bin');
// The typed rules are a program of their own, which the linter looks for there.
const env = { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH ?? ''}` };
process.exitCode = spawnSync(join(programs, linter), args, { stdio: 'inherit', env }).status ?? 1;
