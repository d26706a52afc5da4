/** What a context ever recorded: an event of each version of each type, as it was written. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Line {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const directory = join(__dirname, '..', '..', 'history');

export const historyOf = (context: string): readonly Line[] =>
  readFileSync(join(directory, `${context}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** Of every context. */
export const recordedHistory = (): readonly Line[] =>
  readdirSync(directory)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => historyOf(file.slice(0, -'.jsonl'.length)));
