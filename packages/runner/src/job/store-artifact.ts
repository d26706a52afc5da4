/**
 * Stores a packed artifact: announces it, uploads what is not stored yet by signed requests, and commits it. When an upload fails for good,
 * it is announced again, and goes on with the parts that are missing.
 */
import { createReadStream } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ArtifactId, JobId } from '../../../../domain/workflow/ids';
import type { ArtifactUpload, Assignment, CreateArtifact } from '../../../../domain/workflow/protocol/runner';
import type { Answer, Requests } from '../control-plane/requests';

export interface ArtifactCalls {
  readonly requests: Pick<Requests, 'createArtifact' | 'commitArtifact'>;
  readonly baseUrl: string;
  readonly jobId: JobId;
  readonly jobToken: Assignment['jobToken'];
  readonly signal: AbortSignal;
  /** Left out: half a second, doubled after each attempt. */
  readonly pauseMilliseconds?: number;
}

const attempts = 5;
const usualPauseMilliseconds = 500;

const failureOf = (answer: Exclude<Answer<unknown>, { kind: 'ok' | 'unavailable' }>): string =>
  answer.kind === 'refused' ? `${answer.code}: ${answer.detail}` : `The job is no longer this runner's.`;

/** Tries again what may be another time, and waits longer each time. */
export const persistent = async <Value>(
  { signal, pauseMilliseconds = usualPauseMilliseconds }: Pick<ArtifactCalls, 'signal' | 'pauseMilliseconds'>,
  work: () => Promise<Answer<Value>>,
): Promise<Either<string, Value>> => {
  let failed = 'canceled';
  for (let attempt = 0; attempt < attempts && !signal.aborted; attempt += 1) {
    const answer = await work();
    if (answer.kind === 'ok') return right(answer.value);
    if (answer.kind !== 'unavailable') return left(failureOf(answer));
    failed = answer.detail;
    await sleep(pauseMilliseconds * 2 ** attempt, undefined, { signal }).catch(() => undefined);
  }
  return left(failed);
};

type SignedUpload = ArtifactUpload['requests'][number];

interface FileRange {
  readonly path: string;
  readonly start: number;
  readonly bytes: number;
}

const putFile = (
  { url, headers }: SignedUpload,
  { path, start, bytes }: FileRange,
  { baseUrl, signal }: ArtifactCalls,
): Promise<Answer<void>> =>
  new Promise((resolve) => {
    const address = new URL(url, baseUrl);
    const send = address.protocol === 'https:' ? requestHttps : requestHttp;
    const fail = (detail: string): void => resolve({ kind: 'unavailable', detail });
    const sent = send(
      address,
      { method: 'PUT', headers: { ...headers, 'Content-Length': bytes }, signal, timeout: 60_000 },
      (response) => {
        response.resume();
        const { statusCode = 0 } = response;
        if (statusCode >= 200 && statusCode < 300) resolve({ kind: 'ok', value: undefined });
        else fail(`The store answers ${statusCode}.`);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.on('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === undefined ? 'The store does not answer.' : `The store does not answer (${error.code}).`),
    );
    if (bytes === 0) return void sent.end();
    const file = createReadStream(path, { start, end: start + bytes - 1 });
    file.once('error', (error) => sent.destroy(error));
    sent.once('close', () => file.destroy());
    file.pipe(sent);
  });

/** The service reads what was uploaded in parts, which takes as long as it takes. */
const commitPauseMilliseconds = 1_000;

const commit = async (calls: ArtifactCalls, artifactId: ArtifactId, epoch: number): Promise<Either<string, void>> => {
  const { requests, jobId, jobToken, signal } = calls;
  for (;;) {
    const committed = await persistent(calls, () =>
      requests.commitArtifact({ jobId, artifactId }, jobToken, { epoch }),
    );
    if (isLeft(committed)) return committed;
    if (committed.right === 'committed') return right(undefined);
    await sleep(commitPauseMilliseconds, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return left('canceled');
  }
};

const upload = async (
  calls: ArtifactCalls,
  { partBytes, requests }: ArtifactUpload,
  { path, sizeBytes }: { readonly path: string; readonly sizeBytes: number },
): Promise<Either<string, void>> => {
  for (const signed of requests) {
    const start = ((signed.part ?? 1) - 1) * (partBytes ?? 0);
    const bytes = Math.min(partBytes ?? sizeBytes, sizeBytes - start);
    const put = await persistent(calls, () => putFile(signed, { path, start, bytes }, calls));
    if (isLeft(put)) return put;
  }
  return right(undefined);
};

/** Of announcing it: signatures may have ended, parts may be lost, or stored with other bytes. */
const rounds = 3;

export const storeArtifact = async (
  calls: ArtifactCalls,
  body: CreateArtifact,
  path: string,
): Promise<Either<string, ArtifactId>> => {
  const { requests, jobId, jobToken, signal } = calls;
  let failed = 'canceled';
  for (let round = 0; round < rounds && !signal.aborted; round += 1) {
    const created = await persistent(calls, () => requests.createArtifact(jobId, jobToken, body));
    if (isLeft(created)) return created;
    const { artifactId } = created.right;
    const uploaded = await upload(calls, created.right, { path, sizeBytes: body.sizeBytes });
    const done = isLeft(uploaded) ? uploaded : await commit(calls, artifactId, body.epoch);
    if (!isLeft(done)) return right(artifactId);
    failed = done.left;
  }
  return left(failed);
};
