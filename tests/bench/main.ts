/** `npm run bench -- <name> [part ...]`: each bench prints one JSON line per figure, with the rival or floor of the same run. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const suffix = '.bench.ts';
const files = new Map(
  readdirSync(__dirname, { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith(suffix) && !file.startsWith('node_modules'))
    .map((file) => [basename(file, suffix), file]),
);

interface Bench {
  readonly run: (chosen: readonly string[]) => Promise<void>;
  /** What can be run alone. */
  readonly parts?: readonly string[];
}

const refuse = (usage: string): number => {
  console.error(`Usage: npm run bench -- ${usage}`);
  return 2;
};

const main = async (name = '', ...chosen: readonly string[]): Promise<number> => {
  const file = files.get(name);
  if (file === undefined) return refuse(`<${[...files.keys()].sort().join(' | ')}>`);
  const { run, parts = [] } = require(join(__dirname, file)) as Bench;
  if (chosen.some((part) => !parts.includes(part))) return refuse(`${name} [${parts.join(' | ')}]`);
  await run(chosen);
  return 0;
};

main(...process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
