/**
 * `actions/upload-artifact` and `actions/download-artifact`. An artifact is a `.tar.gz`, packed and unpacked inside the sandbox. It is listed once its
 * bytes were seen in the store.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Checksum, JobId } from '../../../../domain/workflow/ids';
import { limits } from '../../../../domain/workflow/limits';
import type { ArtifactDownloads, Assignment } from '../../../../domain/workflow/protocol/runner';
import type { ExecRequest, ProgramEnd } from '../../../sandbox/src/ports';
import type { Answer, Requests } from '../control-plane/requests';
import {
  type ArtifactPattern,
  artifactPatterns,
  findFilesArguments,
  findFilesScript,
  nameArtifactFiles,
} from './artifact-files';
import { persistent, storeArtifact } from './store-artifact';

export interface ArtifactOptions {
  readonly requests: Requests;
  readonly baseUrl: string;
  readonly jobId: JobId;
  readonly epoch: number;
  readonly jobToken: Assignment['jobToken'];
  readonly inputs: { readonly [name: string]: string };
  readonly workspace: string;
  /** Of programs. */
  readonly home: string;
  readonly directory: string;
  /** Runs a program whose standard output is not for the log. */
  readonly capture: (
    request: ExecRequest,
    output: (bytes: Uint8Array) => Promise<void>,
  ) => Promise<Either<string, ProgramEnd>>;
  readonly print: (line: string) => Promise<void>;
  readonly mask: (text: string) => string;
  readonly signal: AbortSignal;
}

type Outputs = { readonly [name: string]: string };

interface SignedRequest {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
}

/** Packs the files that standard input names. */
const packArguments = ['-chzf', '-', '--no-recursion', '--null', '--verbatim-files-from', '-T', '-'];

/** Longer lists of files are not held. */
const mostPathBytes = 67_108_864;

const findFiles = async (
  { workspace, capture }: ArtifactOptions,
  patterns: readonly ArtifactPattern[],
): Promise<Either<string, readonly string[]>> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const ended = await capture(
    { argv: ['bash', '-c', findFilesScript, 'find', ...findFilesArguments(patterns)], directory: workspace },
    async (chunk) => {
      bytes += chunk.length;
      if (bytes <= mostPathBytes) chunks.push(chunk);
    },
  );
  if (isLeft(ended)) return ended;
  if (ended.right.kind !== 'exited' || ended.right.code !== 0) return left('The files could not be searched.');
  if (bytes > mostPathBytes) return left(`The paths of the files are longer than ${mostPathBytes} bytes.`);
  return right(Buffer.concat(chunks).toString('utf8').split('\0').slice(0, -1));
};

const booleanInput = (inputs: ArtifactOptions['inputs'], name: string): Either<string, boolean> => {
  const value = inputs[name]?.trim().toLowerCase() || 'false';
  return value === 'true' || value === 'false' ? right(value === 'true') : left(`${name} is not true or false.`);
};

/** As GitHub has it: an input that the action does not know is named, and has no effect. */
const warnOfUnknownInputs = async ({ inputs, print }: ArtifactOptions, known: readonly string[]): Promise<void> => {
  const unknown = Object.keys(inputs).filter((name) => !known.includes(name.toLowerCase()));
  if (unknown.length === 0) return;
  const names = unknown.map((name) => `'${name}'`).join(', ');
  await print(
    `##[warning]Unexpected input(s) ${names}, valid inputs are [${known.map((name) => `'${name}'`).join(', ')}]`,
  );
};

const uploadInputs = [
  ...['name', 'path', 'if-no-files-found', 'retention-days', 'compression-level', 'overwrite', 'include-hidden-files'],
];

export const uploadArtifact = async (options: ArtifactOptions): Promise<Either<string, Outputs>> => {
  const { inputs, workspace, epoch, capture, print, mask } = options;
  const name = inputs.name?.trim() || 'artifact';
  await warnOfUnknownInputs(options, uploadInputs);
  const patterns = artifactPatterns(inputs.path ?? '', options);
  if (!patterns.some(({ excludes }) => !excludes)) return left('path names no file.');
  const retentionDays = Number(inputs['retention-days'] || limits.artifactDays);
  if (!Number.isSafeInteger(retentionDays) || retentionDays < 1) return left('retention-days is not a number of days.');
  const whenMissing = inputs['if-no-files-found']?.trim() || 'warn';
  if (!['warn', 'error', 'ignore'].includes(whenMissing))
    return left('if-no-files-found is not warn, error or ignore.');
  const includesHidden = booleanInput(inputs, 'include-hidden-files');
  if (isLeft(includesHidden)) return includesHidden;
  const overwrites = booleanInput(inputs, 'overwrite');
  if (isLeft(overwrites)) return overwrites;
  // The name is shown to everyone who sees the run.
  if (mask(name) !== name) return left('The name of the artifact has a secret.');
  const found = await findFiles(options, patterns);
  if (isLeft(found)) return found;
  const { root, names, hidden } = nameArtifactFiles(patterns, found.right, includesHidden.right);
  if (hidden > 0)
    await print(`Hidden files that were left out: ${hidden}. With include-hidden-files: true they are included.`);
  if (names.length === 0) {
    const text = `No files were found for ${patterns.map(({ excludes, path }) => `${excludes ? '!' : ''}${path}`).join(', ')}.`;
    if (whenMissing === 'error') return left(text);
    if (whenMissing === 'warn') await print(`##[warning]${text}`);
    return right({});
  }
  const home = await mkdtemp(join(options.directory, 'artifact-'));
  const path = join(home, 'artifact.tar.gz');
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    const file = createWriteStream(path, { mode: 0o600 });
    /** Resolves when the file is closed: undefined, or why it was not written, as when the disk is full. */
    const closed = finished(file).then(
      () => undefined,
      ({ code }: NodeJS.ErrnoException) => code ?? 'unknown',
    );
    const packed = await capture(
      {
        argv: ['tar', '-C', root, ...packArguments],
        directory: workspace,
        stdin: names.map((one) => Buffer.from(`${one}\0`)),
      },
      async (bytes) => {
        sizeBytes += bytes.length;
        if (sizeBytes > limits.artifactBytes) return;
        hash.update(bytes);
        if (!file.write(bytes)) await Promise.race([once(file, 'drain').catch(() => undefined), closed]);
      },
    );
    file.end();
    const fault = await closed;
    if (isLeft(packed)) return packed;
    if (fault !== undefined) return left(`The files could not be packed on this machine (${fault}).`);
    if (packed.right.kind !== 'exited' || packed.right.code !== 0) return left('The files could not be packed.');
    if (sizeBytes > limits.artifactBytes) return left(`The artifact is larger than ${limits.artifactBytes} bytes.`);
    const checksum = `sha256:${hash.digest('hex')}` as Checksum;
    const days = Math.min(retentionDays, limits.artifactDays);
    const replacing = overwrites.right ? { overwrites: true } : {};
    const body = { epoch, name, sizeBytes, checksum, retentionDays: days, ...replacing };
    const stored = await storeArtifact(options, body, path);
    if (isLeft(stored)) return stored;
    await print(`Uploaded the artifact ${name}: ${sizeBytes} bytes, ${checksum}.`);
    return right({ 'artifact-id': stored.right, 'artifact-digest': checksum });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
};

const download = async (
  { url, headers }: SignedRequest,
  { path, sizeBytes, checksum }: { readonly path: string; readonly sizeBytes: number; readonly checksum: Checksum },
  { baseUrl, signal }: ArtifactOptions,
): Promise<Answer<void>> => {
  try {
    const response = await fetch(new URL(url, baseUrl), { headers, signal, redirect: 'error' });
    if (!response.ok || response.body === null)
      return { kind: 'unavailable', detail: `The store answers ${response.status}.` };
    const hash = createHash('sha256');
    let bytes = 0;
    const check = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length;
        hash.update(chunk);
        done(bytes > sizeBytes ? new Error('it is longer than announced') : null, chunk);
      },
    });
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(body, check, createWriteStream(path, { mode: 0o600 }));
    if (bytes === sizeBytes && `sha256:${hash.digest('hex')}` === checksum) return { kind: 'ok', value: undefined };
    return { kind: 'unavailable', detail: 'The artifact has other bytes than were committed.' };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { kind: 'unavailable', detail: `The artifact could not be read${code === undefined ? '' : ` (${code})`}.` };
  }
};

const unpackScript = 'mkdir -p -- "$1" && exec tar -xzf - --no-same-owner -C "$1"';

const downloadInputs = [
  ...['name', 'artifact-ids', 'path', 'pattern', 'merge-multiple', 'github-token', 'repository', 'run-id'],
];

/** Prints which of the names match: a pattern that takes forever ends with its step. */
const matchNamesScript = `shopt -s extglob
pattern="$1"; shift
for name in "$@"; do case "$name" in $pattern) printf '%s\\0' "$name";; esac; done`;

type Artifact = ArtifactDownloads['artifacts'][number];

const matching = async (
  { workspace, capture }: ArtifactOptions,
  pattern: string,
  artifacts: readonly Artifact[],
): Promise<Either<string, readonly Artifact[]>> => {
  let printed = '';
  const argv = ['bash', '-c', matchNamesScript, 'match', pattern, ...artifacts.map(({ name }) => name)];
  const ended = await capture({ argv, directory: workspace }, async (bytes) => {
    printed += Buffer.from(bytes).toString('utf8');
  });
  if (isLeft(ended)) return ended;
  if (ended.right.kind !== 'exited' || ended.right.code !== 0) return left('pattern could not be compared.');
  const names = new Set(printed.split('\0'));
  return right(artifacts.filter(({ name }) => names.has(name)));
};

const withIds = (ids: readonly string[], artifacts: readonly Artifact[]): Either<string, readonly Artifact[]> => {
  const missing = ids.find((id) => !artifacts.some(({ artifactId }) => artifactId === id));
  if (missing !== undefined) return left(`The run has no artifact with the id ${missing}.`);
  return right(artifacts.filter(({ artifactId }) => ids.includes(artifactId)));
};

/** By `name`, `artifact-ids` or `pattern`, or all of the run. */
const chooseArtifacts = async (options: ArtifactOptions): Promise<Either<string, readonly Artifact[]>> => {
  const { inputs, requests, jobId, jobToken } = options;
  const name = inputs.name?.trim() || undefined;
  const ids = (inputs['artifact-ids'] ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  if (name !== undefined && ids.length > 0) return left('Of name and artifact-ids, only one may be given.');
  const listed = await persistent(options, () => requests.listArtifacts(jobId, jobToken, name));
  if (isLeft(listed)) return listed;
  const { artifacts } = listed.right;
  if (name !== undefined) return artifacts.length === 0 ? left(`The run has no artifact ${name}.`) : right(artifacts);
  if (ids.length > 0) return withIds(ids, artifacts);
  const pattern = inputs.pattern?.trim();
  return pattern ? matching(options, pattern, artifacts) : right(artifacts);
};

/** Of other runs and repositories nothing is served to a job. */
const foreignInputs = ['repository', 'run-id'] as const;

/**
 * One that is named goes to `path`, as all do with `merge-multiple`; otherwise each artifact to a directory of its name there
 * (`actions/download-artifact` 4).
 */
export const downloadArtifacts = async (options: ArtifactOptions): Promise<Either<string, Outputs>> => {
  const { inputs, workspace, home, capture, print } = options;
  await warnOfUnknownInputs(options, downloadInputs);
  const foreign = foreignInputs.find((name) => inputs[name]?.trim());
  if (foreign !== undefined) return left(`${foreign} is not supported: a job reads the artifacts of its own run.`);
  const merges = booleanInput(inputs, 'merge-multiple');
  if (isLeft(merges)) return merges;
  const chosen = await chooseArtifacts(options);
  if (isLeft(chosen)) return chosen;
  const isOne = chosen.right.length === 1 && Boolean(inputs.name?.trim() || inputs['artifact-ids']?.trim());
  const given = inputs.path?.trim() || '.';
  const target = posix.resolve(workspace, given.startsWith('~/') ? posix.join(home, given.slice(2)) : given);
  const directory = await mkdtemp(join(options.directory, 'artifact-'));
  const path = join(directory, 'artifact.tar.gz');
  try {
    for (const artifact of chosen.right) {
      const got = await persistent(options, () => download(artifact.request, { path, ...artifact }, options));
      if (isLeft(got)) return got;
      const folder = isOne || merges.right ? target : posix.join(target, artifact.name);
      const end = await capture(
        { argv: ['sh', '-c', unpackScript, 'unpack', folder], directory: workspace, stdin: createReadStream(path) },
        async () => undefined,
      );
      if (isLeft(end)) return end;
      if (end.right.kind !== 'exited' || end.right.code !== 0) return left(`${artifact.name} could not be unpacked.`);
      await print(`Downloaded the artifact ${artifact.name}: ${artifact.sizeBytes} bytes.`);
    }
    return right({ 'download-path': target });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
