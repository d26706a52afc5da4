/** `npm run bench -- <name> [part ...]`: each bench prints one JSON line per figure, with the rival or floor of the same run. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const suffix = '.bench.ts';
const names = readdirSync(__dirname)
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length));

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
  if (!names.includes(name)) return refuse(`<${names.join(' | ')}>`);
  const { run, parts = [] } = require(join(__dirname, `${name}${suffix}`)) as Bench;
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
