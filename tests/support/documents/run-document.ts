/**
 * Executes a document: saves its programs under the names in their first lines, and runs its commands in order, in one shell. A
 * program that no command names is run where it stands. `sh` blocks run always; `bash` blocks take long (they install or build) and run only where
 * `isLong`.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { exitOf } from '../processes/child-exit';
import { requirePrerequisites } from '../runner/prerequisites';
import { type CodeBlock, codeBlocksOf, fileNameOf } from './code-blocks';

/** Where a reader is. */
export interface ReaderPlace {
  /** Where the commands run. */
  readonly directory: string;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly isLong?: boolean;
}

export interface DocumentRun {
  readonly document: string;
  /** Commands of an earlier document that this one builds on. */
  readonly after?: string;
  /** A reader's input differs from what is printed: addresses, paths. */
  readonly change?: (script: string) => string;
}

const printedUrl = 'http://localhost:7070';

const savePrograms = (blocks: readonly CodeBlock[], directory: string): void => {
  for (const block of blocks) {
    const name = fileNameOf(block);
    if (name === undefined) continue;
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, block.text);
  }
};

/** What runs in the background ends with the script. */
const frame = "set -eo pipefail\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n";

/** With a note of where the script is, for the message of a failure. */
const scriptOf = (document: string, languages: readonly string[]): string => {
  const blocks = codeBlocksOf(document);
  const isCommand = ({ language }: CodeBlock): boolean => ['sh', 'bash'].includes(language);
  const named = blocks.filter(isCommand).map(({ text: commands }) => commands);
  return blocks
    .flatMap((block) => {
      const name = fileNameOf(block);
      const isRunHere = name !== undefined && !named.some((commands) => commands.includes(name));
      const commands = isRunHere ? `node ${name}\n` : block.text;
      return isRunHere || languages.includes(block.language)
        ? [`echo "${document}:${block.line}" >&2\n${commands}`]
        : [];
    })
    .join('\n');
};

const run = async (script: string, { directory, env }: ReaderPlace): Promise<string> => {
  await requirePrerequisites('bash', 'curl');
  const child: ChildProcess = spawn('bash', ['-c', script], {
    cwd: directory,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = exitOf(child);
  assert.ok(child.stdout && child.stderr);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.equal(await ended, 0, `${errors}\n${output}`);
  return output;
};

/** What the commands print. */
export const runDocument = (
  { document, after = '', change = (script) => script }: DocumentRun,
  place: ReaderPlace,
): Promise<string> => {
  savePrograms(codeBlocksOf(document), place.directory);
  const script = scriptOf(document, place.isLong === true ? ['sh', 'bash'] : ['sh']);
  return run(frame + change(`${after}\n${script}`).replaceAll(printedUrl, place.url), place);
};
