/** Administrators block the sound of a video: what has it fails from then on, until they override that. */
import { isLeft, left, right } from 'fp-ts/Either';
import { record } from '../../domain/kernel/codec';
import { PrincipalId } from '../../domain/kernel/ids';
import { blocklist } from '../../domain/video/blocklist/decider';
import { blocklistStream, RecordingId, RecordingName } from '../../domain/video/blocklist/events';
import { VideoId } from '../../domain/video/ids';
import { blockedFingerprintKey, fingerprintKey } from '../../domain/video/keys';
import { playedGeneration } from '../../domain/video/video/state';
import type { BlobStore } from '../../infra/ports/blob-store';
import { problem, problemOf } from '../../infra/server/http/problem';
import { commandRoute } from '../kernel/command-route';
import { derivedId } from '../kernel/deterministic-ids';
import { blockingProblems } from './problems';
import type { VideoUploadDeps } from './upload-source';
import { uploadedSubject } from './uploaded-subject';

export interface BlockingDeps extends VideoUploadDeps {
  readonly blobs: VideoUploadDeps['blobs'] & Pick<BlobStore, 'copy'>;
}

const answer = record('BlockedRecordingAnswer', { recordingId: RecordingId });
const noPerson = left(problem('forbidden', 'The token’s principal cannot block recordings.'));

export const blockRecording = commandRoute<BlockingDeps>()({
  method: 'post',
  path: '/api/blocked-recordings',
  operation: 'blockRecording',
  summary: 'Block the sound of a video',
  description:
    'Videos that are processed from now on and have it in their sound, re-encoded, cut or noisy, fail with `COPYRIGHT_MATCH` until an administrator overrides that. Those that are ready stay. The video itself may be deleted afterwards.',
  scopes: ['videos:admin'],
  sensitive: true,
  created: true,
  body: record('NewBlockedRecording', { videoId: VideoId, name: RecordingName }),
  answer,
  decider: blocklist,
  problems: blockingProblems,
  prepare: async ({ body: { videoId, name }, tenantId: tenant, commandId, identity }, deps) => {
    const subject = await uploadedSubject(deps, { tenantId: tenant, identity }, videoId);
    if (isLeft(subject)) return subject;
    const { by: principalId, uploaded } = subject.right;
    const { generation, facts } = playedGeneration(uploaded);
    const { fingerprintSha256 } = facts;
    if (fingerprintSha256 === undefined)
      return left(
        problemOf(
          {
            kind: 'rejection',
            code: 'fingerprint-unknown',
            detail: 'The video has no sound, or it is not examined yet.',
          },
          blockingProblems,
        ),
      );
    const own = fingerprintKey({ tenant, videoId, generation }, fingerprintSha256);
    const copied = await deps.blobs.copy(own, blockedFingerprintKey(tenant, fingerprintSha256));
    if (isLeft(copied)) return left(problemOf(copied.left, blockingProblems));
    const recordingId = derivedId('blocked-recording', tenant, commandId) as RecordingId;
    return right({
      stream: blocklistStream(tenant),
      command: {
        type: 'BlockRecording' as const,
        ...{ recordingId, name, videoId, fingerprintSha256, blockedBy: principalId },
      },
      fresh: true,
      answer: { recordingId },
    });
  },
});

export const unblockRecording = commandRoute<BlockingDeps>()({
  method: 'delete',
  path: '/api/blocked-recordings/:recordingId',
  operation: 'unblockRecording',
  summary: 'Unblock a recording',
  description: 'Videos that failed for it are let through one by one, by `POST /api/videos/{videoId}/match/override`.',
  scopes: ['videos:admin'],
  sensitive: true,
  params: record('BlockedRecordingPath', { recordingId: RecordingId }),
  answer,
  decider: blocklist,
  problems: blockingProblems,
  prepare: async ({ params: { recordingId }, tenantId: tenant, identity: { principalId } }) => {
    if (!PrincipalId.is(principalId)) return noPerson;
    return right({
      stream: blocklistStream(tenant),
      command: { type: 'UnblockRecording' as const, recordingId, unblockedBy: principalId },
      answer: { recordingId },
    });
  },
});
