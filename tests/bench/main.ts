/** `npm run bench`: each bench prints one JSON line per figure, with the rival or floor of the same run. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readArguments, runTool, stop } from '../../infra/server/runtime/command-line';
import { describeUnknown, tool } from '../../packages/command-line/src/index';

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
  /** What it takes instead of parts; it checks them itself. */
  readonly takes?: string;
}

const names = [...files.keys()].sort();

export const program = tool({
  name: 'npm run bench --',
  about: 'Runs one bench: one JSON line per figure, beside a floor or a rival of the same run.',
  arguments: [
    { name: 'name', about: 'the bench' },
    { name: 'part', about: 'only these parts of it, or what the bench takes instead', many: true, optional: true },
  ],
  notes: [`Benches: ${names.join(', ')}.`],
});

const main = async (): Promise<void> => {
  const { name, part: chosen } = readArguments(program).arguments;
  const file = files.get(name);
  if (file === undefined) return stop(describeUnknown('bench', name, names), 2);
  const { run, parts = [], takes } = require(join(__dirname, file)) as Bench;
  const unknown = takes === undefined ? chosen.find((part) => !parts.includes(part)) : undefined;
  if (unknown !== undefined) return stop(describeUnknown(`part of ${name}`, unknown, parts), 2);
  await run(chosen);
};

if (require.main === module) runTool(main);
