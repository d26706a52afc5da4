/** Archives in workers: each is extracted in a sandbox, and its documents become one blob. */
import { createHash } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ProcessContext } from '../../../../commands/kernel/context';
import { bindProcesses, commandTarget } from '../../../../commands/kernel/processes/process-binding';
import {
  again,
  type JobFailure,
  type PerformJob,
  queueSpec,
  type WorkerAdapters,
} from '../../../../commands/kernel/work-queue/job-handler';
import { type Send, send } from '../../../../domain/kernel/process';
import type { ProgramEnd, Sandbox, SandboxLimits } from '../../../../packages/sandbox/src/ports';
import { archive, documentsKey, type ExtractionPayload, extractionQueue, processes, uploadKey } from './domain';

const limits: SandboxLimits = {
  memoryBytes: 256 * 2 ** 20,
  cpuSeconds: 10,
  wallSeconds: 20,
  processes: 16,
  openFiles: 64,
  diskBytes: 64 * 2 ** 20,
  outputBytes: 65_536,
};
const largestDocument = 1_048_576;

interface Document {
  readonly path: string;
  readonly text: string;
}

/** What a hostile archive left: links are not followed, and pipes do not block. */
const readDocument = async (path: string): Promise<string> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return (await file.readFile()).toString('utf8');
  } finally {
    await file.close();
  }
};

const documentsIn = async (root: string, directory = root): Promise<readonly Document[]> => {
  const found: Document[] = [];
  for (const name of (await readdir(directory)).toSorted()) {
    const path = join(directory, name);
    const status = await lstat(path);
    if (status.isDirectory()) found.push(...(await documentsIn(root, path)));
    else if (status.isFile() && status.size <= largestDocument)
      found.push({ path: relative(root, path), text: await readDocument(path) });
  }
  return found;
};

const sentenceOf = (end: ProgramEnd): string | undefined => {
  if (end.kind === 'exited') return end.code === 0 ? undefined : 'It is no archive.';
  return end.kind === 'limit' ? `It needs more than is allowed: ${end.limit}.` : 'It could not be extracted.';
};

/** Answers why it could not be extracted; undefined when it was. */
const extract = async (
  sandbox: Sandbox,
  kill: (end: () => void) => void,
): Promise<Either<JobFailure, string | undefined>> => {
  const started = await sandbox.exec({
    argv: ['sh', '-c', 'mkdir documents && tar --extract --gzip --file archive --directory documents --no-same-owner'],
  });
  if (isLeft(started)) return again(started.left.detail);
  const program = started.right;
  kill(() => program.signal('SIGKILL'));
  program.stdout.resume();
  program.stderr.resume();
  return right(sentenceOf(await program.ended));
};

const performWith =
  ({ blobs, sandboxes }: WorkerAdapters): PerformJob<ExtractionPayload> =>
  async ({ tenant, payload, id }, { signal, reportProgress, onKill }) => {
    const { archiveId } = payload;
    const answer = (command: object): Either<JobFailure, readonly Send[]> =>
      right([send('archives.archive', archiveId, { archiveId, ...command })]);
    const stored = await blobs.get({ key: uploadKey(tenant, archiveId), signal });
    if (isLeft(stored)) return again(stored.left.detail);
    const prepared = await sandboxes.prepare({ limits });
    if (isLeft(prepared)) {
      stored.right.body.destroy();
      return again(prepared.left.detail);
    }
    const sandbox = prepared.right;
    try {
      reportProgress({ fraction: 0, detail: 'The archive is being extracted.' });
      await pipeline(
        stored.right.body,
        createWriteStream(join(sandbox.directory, 'archive'), { flags: 'wx', mode: 0o644 }),
      );
      const refused = await extract(sandbox, onKill);
      if (isLeft(refused)) return refused;
      if (refused.right !== undefined) return answer({ type: 'RefuseArchive', reason: refused.right });
      const documents = await documentsIn(join(sandbox.directory, 'documents'));
      reportProgress({ fraction: 0.5, detail: `${documents.length} documents are being stored.` });
      const body = Buffer.from(JSON.stringify({ documents }));
      const sha256 = createHash('sha256').update(body).digest('hex');
      // A key per job: a second run of it stores the same.
      const key = documentsKey(tenant, archiveId, id);
      const put = await blobs.put({ key, body, size: body.length, sha256, contentType: 'application/json', signal });
      if (isLeft(put)) return again(put.left.detail);
      return answer({
        type: 'RecordDocuments',
        documents: documents.length,
        content: { key, sha256, size: body.length },
      });
    } finally {
      await sandbox.destroy();
    }
  };

const extraction = queueSpec(extractionQueue, {
  concurrency: 1,
  perTenant: 1,
  isHeavy: true,
  runsPrograms: true,
  targets: { 'archives.archive': commandTarget(archive) },
  open: (adapters) => ({ perform: performWith(adapters) }),
});

export const bound: ProcessContext<typeof processes> = {
  processes: bindProcesses(processes, { extractOnStored: {} }),
  queues: [extraction],
};
