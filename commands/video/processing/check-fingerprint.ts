/** Compares the sound of a video with the recordings that its tenant blocks. Where the list or a recording cannot be read, the video waits. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { blocklist } from '../../../domain/video/blocklist/decider';
import { blocklistStream } from '../../../domain/video/blocklist/events';
import type { BlockedRecording } from '../../../domain/video/blocklist/state';
import { blockedFingerprintKey, fingerprintKey } from '../../../domain/video/keys';
import type { LocalCopies } from '../../../infra/ports/files/local-copies';
import {
  type Fingerprint,
  fingerprintArguments,
  mainAudio,
  matchFingerprints,
  readFingerprint,
} from '../../../packages/video-media/src';
import { loadStream } from '../../kernel/load-stream';
import { again, type JobFailure } from '../../kernel/work-queue/job-handler';
import { wholeOf } from '../../kernel/work-queue/object-bytes';

import { inside, withSource } from './media-programs';
import { openSource } from './probe-source';
import { generationOf, type PerformStep, type StepRun } from './step-run';
import { readSourceDescription } from './stored-descriptions';

const output = 'fingerprint';
const roomBytes = 67_108_864;

const readBlocked = async (
  { deps: { blobs }, tenant, run }: StepRun,
  { fingerprintSha256 }: BlockedRecording,
): Promise<Either<JobFailure, Fingerprint>> => {
  const found = await blobs.get({ key: blockedFingerprintKey(tenant, fingerprintSha256), signal: run.signal });
  if (isLeft(found)) return again(found.left.detail);
  return right(readFingerprint(await wholeOf(found.right.body)));
};

/** The first of the list that is in the film; undefined: none. */
const findBlocked = async (
  step: StepRun,
  film: Fingerprint,
): Promise<Either<JobFailure, BlockedRecording | undefined>> => {
  const list = await loadStream(step.deps, blocklist, blocklistStream(step.tenant));
  if (isLeft(list)) return again(list.left.detail);
  for (const recording of list.right.recordings.values()) {
    const blocked = await readBlocked(step, recording);
    if (isLeft(blocked)) return blocked;
    if (matchFingerprints(film, [blocked.right]).length > 0) return right(recording);
  }
  return right(undefined);
};

export const checkFingerprint =
  (copies: LocalCopies): PerformStep =>
  async (step) => {
    const { videoId, generation } = step.job.payload;
    const described = await readSourceDescription(step);
    if (isLeft(described)) return described;
    const audio = mainAudio(described.right);
    if (audio === undefined)
      return right([{ type: 'FingerprintCleared', data: { videoId, generation, fingerprintSha256: null } }]);
    return withSource(step, copies, {
      roomBytes,
      use: async (sandbox) => {
        const opened = await openSource(sandbox);
        if (isLeft(opened)) return opened;
        step.run.reportProgress({ fraction: 0, detail: 'The sound is compared with blocked recordings.' });
        const args = fingerprintArguments({ source: opened.right, audio, output: `${inside.directory}/${output}` });
        const ran = await sandbox.run({ program: 'ffmpeg', args });
        if (isLeft(ran)) return ran;
        const path = await sandbox.output(output);
        if (path === undefined) return again('The program left no fingerprint.');
        const bytes = await readFile(path);
        const fingerprintSha256 = createHash('sha256').update(bytes).digest('hex');
        const stored = await step.deps.blobs.put({
          ...{ key: fingerprintKey(generationOf(step), fingerprintSha256), body: bytes, size: bytes.length },
          ...{ sha256: fingerprintSha256, contentType: 'application/octet-stream' },
        });
        if (isLeft(stored)) return again(stored.left.detail);
        const blocked = await findBlocked(step, readFingerprint(bytes));
        if (isLeft(blocked)) return blocked;
        const found = { videoId, generation, fingerprintSha256 };
        return right([
          blocked.right === undefined
            ? { type: 'FingerprintCleared', data: found }
            : { type: 'FingerprintMatched', data: { ...found, reference: blocked.right.recordingId } },
        ]);
      },
    });
  };
