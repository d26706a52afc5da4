/** A bare copy of a repository, also of an empty one, while it is pushed to: its refs first, then every object that they reach. */
import { pipeline } from 'node:stream/promises';
import { runGit, startGit } from './git-process';

const packMilliseconds = 3_600_000;
const maxRefBytes = 2 ** 28;

const copyObjects = async (from: string, to: string, objects: string): Promise<boolean> => {
  const packing = startGit({
    directory: from,
    args: ['pack-objects', '--revs', '--stdout', '--quiet'],
    milliseconds: packMilliseconds,
  });
  const indexing = startGit({ directory: to, args: ['index-pack', '--stdin'], milliseconds: packMilliseconds });
  const { stdin, stdout } = packing.child;
  const target = indexing.child.stdin;
  if (stdin === null || stdout === null || target === null) return false;
  indexing.child.stdout?.resume();
  stdin.end(objects);
  await pipeline(stdout, target).catch(() => indexing.kill());
  const codes = await Promise.all([packing.ended, indexing.ended]);
  return codes.every((code) => code === 0);
};

/** Whether there is a copy. `to` must not be there. */
export const copyRepository = async (from: string, to: string): Promise<boolean> => {
  const head = await runGit(from, ['symbolic-ref', 'HEAD']);
  const listed = await runGit(from, ['for-each-ref', '--format=%(objectname) %(refname)'], { maxBytes: maxRefBytes });
  if (head.code !== 0 || listed.code !== 0) return false;
  const made = await runGit(undefined, ['init', '--quiet', '--bare', '--template=', to]);
  const pointed = await runGit(to, ['symbolic-ref', 'HEAD', head.output.toString().trim()]);
  if (made.code !== 0 || pointed.code !== 0) return false;
  const refs = listed.output.toString().split('\n').filter(Boolean);
  if (refs.length === 0) return true;
  const objects = [...new Set(refs.map((line) => line.slice(0, line.indexOf(' '))))].join('\n');
  if (!(await copyObjects(from, to, `${objects}\n`))) return false;
  const updates = refs.map((line) => {
    const at = line.indexOf(' ');
    return `create ${line.slice(at + 1)} ${line.slice(0, at)}\n`;
  });
  const updated = await runGit(to, ['update-ref', '--stdin'], { input: updates.join('') });
  return updated.code === 0;
};
