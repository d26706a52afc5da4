/**
 * `actions/upload-artifact` and `actions/download-artifact`. An artifact is a `.tar.gz`, packed and unpacked inside the sandbox, with paths
 * relative to the workspace. It is listed once its bytes were seen in the store.
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
import type { Assignment } from '../../../../domain/workflow/protocol/runner';
import type { ExecRequest, ProgramEnd } from '../../../sandbox/src/ports';
import type { Answer, Requests } from '../control-plane/requests';
import { persistent, storeArtifact } from './store-artifact';

export interface ArtifactOptions {
  readonly requests: Requests;
  readonly baseUrl: string;
  readonly jobId: JobId;
  readonly epoch: number;
  readonly jobToken: Assignment['jobToken'];
  readonly inputs: { readonly [name: string]: string };
  readonly workspace: string;
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

/**
 * Exits with 3 if nothing matches. The first argument is `true` if hidden files are included, all others are patterns: files, directories,
 * `*`, `**`; patterns that begin with `!` exclude.
 *
 * As upload-artifact 4.4 has it, a search begins at the path before the first wildcard of a pattern, and finds no hidden file or directory,
 * the one where it begins included: `.next` finds nothing, `.next/static` what is in it.
 */
const packScript = `shopt -s globstar nullglob
IFS=
hidden="$1"; shift
if [ "$hidden" = true ]; then shopt -s dotglob; fi
count=0
found=$(mktemp) || exit 4
omitted=$(mktemp) || exit 4
without=()
# A path that was found, and what is before the directory or file where its search began.
add() {
  local path="$1"
  if [ ! -e "$path" ] && [ ! -L "$path" ]; then return; fi
  case "$path" in -*) path="./$path";; esac
  if [ "$hidden" = true ]; then find "$path" -print0 >> "$found"; return; fi
  case "/\${1#"$2"}/" in
    */.[!./]*|*/..[!/]*) find "$path" ! -type d -print0 >> "$omitted"; return;;
  esac
  find "$path" -mindepth 1 -name '.*' -prune -exec find {} ! -type d -print0 ';' >> "$omitted"
  find "$path" ! -path "$path" -name '.*' -prune -o -print0 >> "$found"
}
for pattern in "$@"; do
  case "$pattern" in
    !*) without+=("--exclude=\${pattern#!}"); continue;;
  esac
  pattern="\${pattern%/}"
  if [ -e "$pattern" ] || [ -L "$pattern" ]; then
    start="$pattern"
  else
    start="\${pattern%%[*?[]*}"
    case "$start" in */*) start="\${start%/*}";; *) start=;; esac
  fi
  case "$start" in */*) parent="\${start%/*}/";; *) parent=;; esac
  if [ "$start" = "$pattern" ]; then add "$pattern" "$parent"; continue; fi
  for path in $pattern; do add "$path" "$parent"; done
done
count=$(sort -zu "$omitted" | tr -cd '\\0' | wc -c)
if [ "$count" -gt 0 ]; then echo "Hidden files that were left out: $count. With include-hidden-files: true they are included." >&2; fi
[ -s "$found" ] || exit 3
# Exclusions come before --no-recursion, so that they leave out directories with all that is in them.
sort -zu "$found" | tar -czf - "\${without[@]}" --no-recursion --null --verbatim-files-from -T -
codes=("\${PIPESTATUS[@]}")
rm -f "$found" "$omitted"
exit "\${codes[1]}"`;

const patternsOf = (paths: string, workspace: string): readonly string[] =>
  paths
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    // tar would name what is absolute by its whole path.
    .map((line) => (line.startsWith(`${workspace}/`) ? line.slice(workspace.length + 1) : line));

const missingCode = 3;

export const uploadArtifact = async (options: ArtifactOptions): Promise<Either<string, Outputs>> => {
  const { inputs, workspace, epoch, capture, print, mask } = options;
  const name = inputs.name?.trim() || 'artifact';
  const patterns = patternsOf(inputs.path ?? '', workspace);
  if (patterns.length === 0) return left('path names no file.');
  const retentionDays = Number(inputs['retention-days'] || limits.artifactDays);
  if (!Number.isSafeInteger(retentionDays) || retentionDays < 1) return left('retention-days is not a number of days.');
  const includesHidden = inputs['include-hidden-files']?.trim().toLowerCase() || 'false';
  if (includesHidden !== 'true' && includesHidden !== 'false')
    return left('include-hidden-files is not true or false.');
  // The name is shown to everyone who sees the run.
  if (mask(name) !== name) return left('The name of the artifact has a secret.');
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
      { argv: ['bash', '-c', packScript, 'pack', includesHidden, ...patterns], directory: workspace },
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
    if (packed.right.kind === 'exited' && packed.right.code === missingCode) {
      const text = `No files were found for ${patterns.join(', ')}.`;
      if (inputs['if-no-files-found'] === 'error') return left(text);
      if (inputs['if-no-files-found'] !== 'ignore') await print(`##[warning]${text}`);
      return right({});
    }
    if (packed.right.kind !== 'exited' || packed.right.code !== 0) return left('The files could not be packed.');
    if (sizeBytes > limits.artifactBytes) return left(`The artifact is larger than ${limits.artifactBytes} bytes.`);
    const checksum = `sha256:${hash.digest('hex')}` as Checksum;
    const body = { epoch, name, sizeBytes, checksum, retentionDays: Math.min(retentionDays, limits.artifactDays) };
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

/** With a name, its files go to `path`; without one, each artifact of the run to a directory of its name there. */
export const downloadArtifacts = async (options: ArtifactOptions): Promise<Either<string, Outputs>> => {
  const { inputs, workspace, requests, jobId, jobToken, capture, print } = options;
  const name = inputs.name?.trim() || undefined;
  const target = posix.resolve(workspace, inputs.path?.trim() || '.');
  const listed = await persistent(options, () => requests.listArtifacts(jobId, jobToken, name));
  if (isLeft(listed)) return listed;
  if (name !== undefined && listed.right.artifacts.length === 0) return left(`The run has no artifact ${name}.`);
  const home = await mkdtemp(join(options.directory, 'artifact-'));
  const path = join(home, 'artifact.tar.gz');
  try {
    for (const artifact of listed.right.artifacts) {
      const got = await persistent(options, () => download(artifact.request, { path, ...artifact }, options));
      if (isLeft(got)) return got;
      const folder = name === undefined ? posix.join(target, artifact.name) : target;
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
    await rm(home, { recursive: true, force: true });
  }
};
