/**
 * Messages between runners and the workflow service. A runner authenticates with its credential (`Authorization: Bearer`), and names
 * job and epoch in every call about a job; a stale epoch is answered with 409 `stale_epoch`, and the runner ends that job's sandbox.
 */
import * as t from 'io-ts';
import { Instant, integer, listOf, nullable, oneOf, record, text } from '../../kernel/codec';
import { ArtifactName } from '../artifact/events';
import { ArtifactId, Checksum, CommitSha, JobId, RepositoryId, RunId, RunnerId } from '../ids';
import { limits } from '../limits';
import { Isolation } from '../organization/events';
import { Annotation, JobOutputs, RunnerLabel, StepReport } from '../run/events';
import { RunnerName } from '../runner/events';
import { JobContent } from './job-content';

export const runnerProtocol = 'septet.runner.v1';

/** `POST /runner/register`: the registration token is used up by it. */
export const RegisterRunner = record('RegisterRunner', {
  token: text('RegistrationToken', { maxLength: 200 }),
  name: RunnerName,
  labels: listOf('RegisteredLabels', RunnerLabel, 50),
  isolation: Isolation,
  protocol: text('RunnerProtocol', { maxLength: 40 }),
});
export type RegisterRunner = t.TypeOf<typeof RegisterRunner>;
export const RegisteredRunner = record('RegisteredRunner', {
  runnerId: RunnerId,
  /** Shown once. */
  credential: text('RunnerCredential', { maxLength: 200 }),
});
export type RegisteredRunner = t.TypeOf<typeof RegisteredRunner>;

/** A job for this runner, pushed over its socket or answered to a long poll. */
export const Assignment = record('Assignment', {
  runId: RunId,
  jobId: JobId,
  attempt: integer(1),
  epoch: integer(1),
  name: text('AssignmentName', { minLength: 0, maxLength: 300 }),
  timeoutMinutes: integer(1),
  cancelGraceSeconds: integer(0),
  leaseSeconds: integer(1),
  content: JobContent,
  /** The contexts `github`, `needs`, `inputs` and `vars` of expressions, as JSON. */
  contexts: t.UnknownRecord,
  repository: record('AssignedRepository', {
    repoId: RepositoryId,
    /** For `git fetch`, with `jobToken` as password. */
    url: text('CloneUrl', { maxLength: 2_000 }),
    ref: text('AssignedRef', { maxLength: 300 }),
    commitSha: CommitSha,
  }),
  /** Of this attempt alone: reads the repository and writes artifacts until the attempt ends. */
  jobToken: text('JobToken', { maxLength: 4_000 }),
});
export type Assignment = t.TypeOf<typeof Assignment>;

/** `POST /runner/heartbeat` and the socket's `heartbeat`, every 5 seconds; one per running job, or one without a job. The specification's fields. */
export const Heartbeat = record('Heartbeat', {
  runner_id: RunnerId,
  job_id: nullable(JobId),
  lease_epoch: nullable(integer(1)),
  timestamp: Instant,
  current_step: nullable(text('CurrentStep', { content: 'any', minLength: 0, maxLength: 300 })),
  /** Bytes of the log so far. */
  log_offset: nullable(integer(0)),
});
export type Heartbeat = t.TypeOf<typeof Heartbeat>;
export const HeartbeatAnswer = record('HeartbeatAnswer', {
  /** The lease is this runner's for so long from now; 0: lost, the runner ends the job. */
  leaseSeconds: integer(0),
  cancel: nullable(oneOf('CancelKind', ['graceful', 'forced'])),
});
export type HeartbeatAnswer = t.TypeOf<typeof HeartbeatAnswer>;

/** `POST /runner/jobs/{jobId}/start`. */
export const StartJob = record('StartJob', { epoch: integer(1) });
export type StartJob = t.TypeOf<typeof StartJob>;

/** `POST /runner/jobs/{jobId}/steps`: a step began or ended; for viewers, not kept as an event. */
export const ReportStep = record('ReportStep', { epoch: integer(1), step: StepReport });
export type ReportStep = t.TypeOf<typeof ReportStep>;

/** `POST /runner/jobs/{jobId}/complete`. */
export const CompleteJob = record('CompleteJob', {
  epoch: integer(1),
  result: oneOf('ReportedResult', ['success', 'failure', 'canceled', 'timed_out']),
  reason: nullable(text('ReportedReason', { content: 'any', maxLength: 300 })),
  outputs: JobOutputs,
  steps: listOf('ReportedSteps', StepReport, limits.stepsPerJob),
  annotations: listOf('ReportedAnnotations', Annotation, 50),
  summary: nullable(text('ReportedSummary', { content: 'any', maxLength: 131_072 })),
  logChunks: integer(0),
});
export type CompleteJob = t.TypeOf<typeof CompleteJob>;

/**
 * `POST /runner/jobs/{jobId}/logs`: one chunk, or several with ascending numbers. Chunk numbers begin at 0 in each attempt; offsets are bytes of the
 * uncompressed UTF-8 text. The same chunk may be sent again; another payload under its number is 409 `chunk-differs`.
 */
export const LogChunk = record('LogChunk', {
  chunkOffset: integer(0),
  byteStart: integer(0),
  byteEnd: integer(0),
  /** Of the uncompressed text. */
  checksum: Checksum,
  encoding: oneOf('ChunkEncoding', ['plain', 'gzip']),
  /** Base64. */
  payload: text('ChunkPayload', { minLength: 0, maxLength: 131_072 }),
  emittedAt: Instant,
});
export type LogChunk = t.TypeOf<typeof LogChunk>;
export const LogChunks = record('LogChunks', { epoch: integer(1), chunks: listOf('SentChunks', LogChunk, 64) });
export type LogChunks = t.TypeOf<typeof LogChunks>;
/** `next`: every chunk before it is stored. */
export const LogAcknowledgement = record('LogAcknowledgement', { next: integer(0) });
export type LogAcknowledgement = t.TypeOf<typeof LogAcknowledgement>;

/** `POST /runner/jobs/{jobId}/artifacts`, with the job token. */
export const CreateArtifact = record(
  'CreateArtifact',
  {
    epoch: integer(1),
    name: ArtifactName,
    sizeBytes: integer(0, limits.artifactBytes),
    checksum: Checksum,
    retentionDays: integer(1, limits.artifactDays),
  },
  /** True: it takes the place of the one that the attempt has by this name. */
  { overwrites: t.boolean },
);
export type CreateArtifact = t.TypeOf<typeof CreateArtifact>;
const signedRequest = {
  url: text('SignedUrl', { maxLength: 4_000 }),
  headers: t.record(t.string, t.string, 'SignedHeaders'),
};
/**
 * One address for the whole (`part` null), or one for each part of `partBytes` that is not stored yet, numbered from 1. None is left once all are
 * there. `POST …/artifacts/{artifactId}/commit` follows.
 */
export const ArtifactUpload = record('ArtifactUpload', {
  artifactId: ArtifactId,
  partBytes: nullable(integer(1)),
  requests: listOf('SignedUploads', record('SignedUpload', { ...signedRequest, part: nullable(integer(1)) }), 1_000),
});
export type ArtifactUpload = t.TypeOf<typeof ArtifactUpload>;

/** `POST /runner/jobs/{jobId}/artifacts/{artifactId}/commit`, with the job token. */
export const CommitArtifact = record('CommitArtifact', { epoch: integer(1) });
export type CommitArtifact = t.TypeOf<typeof CommitArtifact>;

/** `GET /runner/jobs/{jobId}/artifacts?name=…`, with the job token: committed artifacts of the run, all without a name. */
export const ArtifactDownloads = record('ArtifactDownloads', {
  artifacts: listOf(
    'DownloadableArtifacts',
    record('DownloadableArtifact', {
      artifactId: ArtifactId,
      name: ArtifactName,
      sizeBytes: integer(0, limits.artifactBytes),
      checksum: Checksum,
      request: record('SignedDownload', signedRequest),
    }),
    1_000,
  ),
});
export type ArtifactDownloads = t.TypeOf<typeof ArtifactDownloads>;

/**
 * `POST /runner/poll`, where no WebSocket can be opened: answered with the messages that the socket would bring, at the latest after 25
 * seconds without any. `slots` as in `ready`.
 */
export const PollMessages = record('PollMessages', { slots: integer(0, 1_000) });
export type PollMessages = t.TypeOf<typeof PollMessages>;
export const PolledMessages = record('PolledMessages', { messages: listOf('ToRunnerMessages', t.unknown, 1_000) });
export type PolledMessages = t.TypeOf<typeof PolledMessages>;

/** Messages over `GET /runner/socket` (WebSocket, `septet.runner.v1`), JSON each. */
export type ToRunner =
  | { readonly type: 'assign'; readonly assignment: Assignment }
  | { readonly type: 'cancel'; readonly jobId: JobId; readonly epoch: number; readonly kind: 'graceful' | 'forced' }
  /** The lease is lost: the runner ends the sandbox at once and reports nothing. */
  | { readonly type: 'stale_epoch'; readonly jobId: JobId; readonly epoch: number }
  | ({ readonly type: 'heartbeat'; readonly jobId: JobId | null } & HeartbeatAnswer)
  | { readonly type: 'drain' };
export type FromRunner =
  /** How many more jobs it would take now, after it received so many assignments over this socket: later ones are on their way. */
  | { readonly type: 'ready'; readonly slots: number; readonly assignments: number }
  | ({ readonly type: 'heartbeat' } & Heartbeat);
