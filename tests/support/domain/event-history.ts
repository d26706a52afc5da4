/** What a context ever recorded: an event of each version of each type, as it was written. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Line {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const historyOf = (context: string): readonly Line[] =>
  readFileSync(join(__dirname, '..', '..', 'history', `${context}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
