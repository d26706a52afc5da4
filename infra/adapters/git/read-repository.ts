/** What Git answers about commits, files and refs. Names and numbers only: no command takes an option from a caller. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import type { CommitSha } from '../../../domain/workflow/ids';
import type {
  Commit,
  CommitFile,
  CommitRange,
  GitFault,
  GitRejection,
  RefUpdate,
} from '../../ports/workflow/git-repositories';
import { gitFailed } from './bare-directory';
import { type GitOutput, runGit } from './git-process';

type Answer<Value> = Promise<Either<GitFault | GitRejection, Value>>;

const folders = ['.github/workflows/', '.septet/workflows/'];
const fileShape = /^\.(?:github|septet)\/workflows\/[^/\p{Cc}]+\.ya?ml$/u;
const objectName = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const maxPaths = 3_000;
const maxListing = 8 * 2 ** 20;

const failed = ({ complaint, code }: GitOutput): Either<GitFault, never> =>
  code === null
    ? gitFailed('Git took too long.')
    : gitFailed('Git could not read the repository.', complaint.split('\n', 1)[0]);

const verify = (directory: string, name: string): Promise<GitOutput> =>
  runGit(directory, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);

/** An object name, a full name, a branch or a tag, in this order. */
const candidates = (revision: string): readonly string[] => {
  if (objectName.test(revision) || revision.startsWith('refs/')) return [revision];
  return [`refs/heads/${revision}`, `refs/tags/${revision}`];
};

export const resolveCommit = async (directory: string, revision: string): Answer<CommitSha> => {
  // Git would read these as operators: `main~2`, `main@{1}`, `a..b`.
  if (!/^[^\s~^:?*[\\@{}]+$/.test(revision) || revision.includes('..'))
    return reject('ref-unknown', 'No branch or tag has this name.');
  for (const name of candidates(revision)) {
    const found = await verify(directory, name);
    if (found.code === null) return failed(found);
    if (found.code === 0) return right(found.output.toString('latin1').trim() as CommitSha);
  }
  return objectName.test(revision)
    ? reject('commit-unknown', 'The repository has no such commit.')
    : reject('ref-unknown', 'The repository has no such branch or tag.');
};

export const listBranches = async (directory: string, most: number): Answer<readonly string[]> => {
  const order = ['--sort=-committerdate', `--count=${most}`, '--format=%(refname:lstrip=2)'];
  const listed = await runGit(directory, ['for-each-ref', ...order, 'refs/heads']);
  if (listed.code !== 0) return failed(listed);
  return right(
    listed.output
      .toString('utf8')
      .split('\n')
      .filter((name) => name !== ''),
  );
};

const records = (output: Buffer): readonly string[] => output.toString('utf8').split('\0').slice(0, -1);

interface ListedFile {
  readonly path: string;
  readonly object: string;
}

const listWorkflowFiles = async (directory: string, commit: string): Answer<readonly ListedFile[]> => {
  const listed = await runGit(directory, ['ls-tree', '-z', '--full-tree', commit, '--', ...folders], {
    maxBytes: maxListing,
  });
  if (listed.isCut) return reject('too-large', 'The commit has too many files besides its workflows.');
  if (listed.code !== 0) return failed(listed);
  return right(
    records(listed.output).flatMap((line) => {
      const [, mode = '', object = '', path = ''] = /^(\d+) blob ([0-9a-f]+)\t(.+)$/su.exec(line) ?? [];
      // A symbolic link is no file.
      return mode.startsWith('100') && fileShape.test(path) ? [{ path, object }] : [];
    }),
  );
};

export interface FileBounds {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

export const readWorkflowFiles = async (
  directory: string,
  commit: string,
  { maxFiles, maxBytes }: FileBounds,
): Answer<readonly CommitFile[]> => {
  const listed = await listWorkflowFiles(directory, commit);
  if (isLeft(listed)) return listed;
  if (listed.right.length > maxFiles)
    return reject('too-large', `The commit has ${listed.right.length} workflow files; ${maxFiles} are read.`);
  const files: CommitFile[] = [];
  for (const { path, object } of listed.right) {
    const read = await runGit(directory, ['cat-file', 'blob', object], { maxBytes: maxBytes + 1 });
    if (read.code !== 0 && !read.isCut) return failed(read);
    files.push({ path, content: read.output });
  }
  return right(files);
};

export const countChanges = async (directory: string, commit: string, path: string): Answer<number> => {
  const counted = await runGit(directory, ['--literal-pathspecs', 'rev-list', '--count', commit, '--', path]);
  if (counted.code !== 0) return failed(counted);
  return right(Math.max(1, Number(counted.output.toString('latin1').trim())));
};

export const listChangedPaths = async (
  directory: string,
  from: string,
  to: string,
): Answer<readonly string[] | undefined> => {
  const base = await runGit(directory, ['merge-base', from, to]);
  if (base.code === null) return failed(base);
  if (base.code !== 0) return right(undefined);
  const revisions = [base.output.toString('latin1').trim(), to];
  const changed = await runGit(directory, ['diff-tree', '-r', '-z', '--name-only', '--no-renames', ...revisions], {
    maxBytes: maxListing,
  });
  if (changed.isCut) return right(undefined);
  if (changed.code !== 0) return failed(changed);
  const paths = records(changed.output);
  return right(paths.length > maxPaths ? undefined : paths);
};

const maxMessageLength = 8_192;
/** Lines; the message is the rest. */
const commitFormat = ['%H', '%T', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%n');

const commitOf = (record: string): Commit => {
  const [
    sha = '',
    tree = '',
    author = '',
    authorEmail = '',
    authored = '',
    committer = '',
    email = '',
    date = '',
    ...message
  ] = record.split('\n');
  return {
    sha: sha as CommitSha,
    tree,
    message: message.join('\n').trimEnd().slice(0, maxMessageLength).toWellFormed(),
    author: { name: author, email: authorEmail, date: authored },
    committer: { name: committer, email, date },
  };
};

export const listCommits = async (directory: string, { from, to, most }: CommitRange): Answer<readonly Commit[]> => {
  const range = from === null ? ['--max-count=1', to] : [`--max-count=${most}`, `${from}..${to}`];
  const listed = await runGit(directory, ['log', '-z', `--format=${commitFormat}`, ...range, '--'], {
    maxBytes: maxListing,
  });
  if (listed.isCut) return reject('too-large', 'The messages of the commits are too long.');
  if (listed.code === null) return failed(listed);
  if (listed.code !== 0)
    return from === null
      ? reject('commit-unknown', 'The repository has no such commit.')
      : listCommits(directory, { from: null, to, most });
  const found = listed.output
    .toString('utf8')
    .split('\0')
    .filter((record) => record !== '');
  // What `to` has in common with `from` is not listed: a branch that was set back.
  if (found.length === 0 && from !== null) return listCommits(directory, { from: null, to, most });
  return right(found.map(commitOf).reverse());
};

export type Refs = { readonly [ref: string]: string };

const maxRefsBytes = 64 * 2 ** 20;

/** Branches and tags with their commits, an annotated tag's included. */
export const readRefs = async (directory: string): Promise<Either<GitFault | Rejection<'too-large'>, Refs>> => {
  const format = '--format=%(refname)%00%(objectname)%00%(*objectname)';
  const listed = await runGit(directory, ['for-each-ref', format, 'refs/heads', 'refs/tags'], {
    maxBytes: maxRefsBytes,
  });
  if (listed.isCut) return left({ kind: 'rejection', code: 'too-large', detail: 'The repository has too many refs.' });
  if (listed.code !== 0) return failed(listed);
  const lines = listed.output
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  return right(
    Object.fromEntries(
      lines.map((line) => {
        const [ref = '', object = '', commit = ''] = line.split('\0');
        return [ref, commit === '' ? object : commit];
      }),
    ),
  );
};

export const compareRefs = (before: Refs, after: Refs): readonly RefUpdate[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((ref) => before[ref] !== after[ref])
    .sort()
    .map((ref) => ({
      ref,
      before: (before[ref] as CommitSha | undefined) ?? null,
      after: (after[ref] as CommitSha | undefined) ?? null,
    }));
