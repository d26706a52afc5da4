/** Calls of the workflow service. None throws; each answers within its time. */
import { isLeft } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { decodeStored } from '../../../../domain/kernel/codec';
import type { ArtifactId, JobId } from '../../../../domain/workflow/ids';
import {
  ArtifactDownloads,
  ArtifactUpload,
  type CommitArtifact,
  type CompleteJob,
  type CreateArtifact,
  type Heartbeat,
  HeartbeatAnswer,
  LogAcknowledgement,
  type LogChunks,
  PolledMessages,
  type PollMessages,
  RegisteredRunner,
  type RegisterRunner,
  type ReportStep,
  type StartJob,
} from '../../../../domain/workflow/protocol/runner';

export type Answer<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  /** Another lease of the job is newer, or the job has ended. */
  | { readonly kind: 'stale' }
  /** The credential or token is worthless. */
  | { readonly kind: 'unauthenticated' }
  /** The same request will be refused again. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly detail: string }
  /** No answer, or one that may be another next time. */
  | { readonly kind: 'unavailable'; readonly detail: string };

export interface Requests {
  readonly heartbeat: (body: Heartbeat) => Promise<Answer<HeartbeatAnswer>>;
  readonly poll: (body: PollMessages, signal: AbortSignal) => Promise<Answer<PolledMessages>>;
  readonly start: (jobId: JobId, body: StartJob) => Promise<Answer<void>>;
  readonly reportStep: (jobId: JobId, body: ReportStep) => Promise<Answer<void>>;
  readonly sendLogs: (jobId: JobId, body: LogChunks) => Promise<Answer<LogAcknowledgement>>;
  readonly complete: (jobId: JobId, body: CompleteJob) => Promise<Answer<void>>;
  readonly createArtifact: (jobId: JobId, token: string, body: CreateArtifact) => Promise<Answer<ArtifactUpload>>;
  readonly commitArtifact: (
    artifact: { readonly jobId: JobId; readonly artifactId: ArtifactId },
    token: string,
    body: CommitArtifact,
  ) => Promise<Answer<'committed' | 'still reading'>>;
  readonly listArtifacts: (jobId: JobId, token: string, name: string | undefined) => Promise<Answer<ArtifactDownloads>>;
}

const answerMilliseconds = 15_000;
/** The service answers a poll after 25 seconds at the latest. */
const pollMilliseconds = 40_000;
const longestAnswer = 2 ** 24;

interface Call<Value> {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
  /** Undefined: the answer's body does not matter. */
  readonly codec: t.Decoder<unknown, Value> | undefined;
  /** Without a codec: what the status means. */
  readonly ofStatus?: (status: number) => Value;
  readonly milliseconds?: number;
  readonly signal?: AbortSignal;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

export const challengeHeader = 'www-authenticate';

/** A 401 without a challenge is not of the credential: gateway and service do not trust each other just now, as when a clock is wrong. */
export const isChallenge = (status: number | undefined, challenge: string | null | undefined): boolean =>
  status === 401 && typeof challenge === 'string';

const refusal = ({ status, headers }: Response, body: unknown): Answer<never> => {
  const { code, detail } = (body ?? {}) as { readonly code?: unknown; readonly detail?: unknown };
  const name = typeof code === 'string' ? code.replaceAll('_', '-') : '';
  if (isChallenge(status, headers.get(challengeHeader))) return { kind: 'unauthenticated' };
  if (status === 409 && name === 'stale-epoch') return { kind: 'stale' };
  const text = typeof detail === 'string' ? detail.slice(0, 300) : '';
  // `conflict`: others changed the run at the same time.
  if (status >= 500 || [401, 408, 429].includes(status) || (status === 409 && name === 'conflict'))
    return { kind: 'unavailable', detail: `The service answers ${status} ${name}.` };
  return { kind: 'refused', status, code: name, detail: text };
};

const call = async <Value>(baseUrl: string, credential: string, request: Call<Value>): Promise<Answer<Value>> => {
  const { method = 'POST', path, token = credential, body, codec, milliseconds = answerMilliseconds, signal } = request;
  const timeout = AbortSignal.timeout(milliseconds);
  try {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      redirect: 'error',
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answered = text.length > longestAnswer ? undefined : parse(text);
    if (!response.ok) return refusal(response, answered);
    if (codec === undefined) return { kind: 'ok', value: request.ofStatus?.(response.status) as Value };
    const decoded = decodeStored(codec, answered);
    if (isLeft(decoded))
      return {
        kind: 'unavailable',
        detail: `The answer to ${path} has another form: ${decoded.left[0]?.pointer ?? ''}.`,
      };
    return { kind: 'ok', value: decoded.right };
  } catch (error) {
    const { cause, name } = error as { readonly cause?: NodeJS.ErrnoException; readonly name: string };
    return { kind: 'unavailable', detail: `The service does not answer (${cause?.code ?? name}).` };
  }
};

/** `token`: the registration token, which is used up. */
export const register = (baseUrl: string, body: RegisterRunner): Promise<Answer<RegisteredRunner>> =>
  call(baseUrl, body.token, { path: '/runner/register', body, codec: RegisteredRunner });

export const openRequests = (baseUrl: string, credential: string): Requests => {
  const send = <Value>(request: Call<Value>): Promise<Answer<Value>> => call(baseUrl, credential, request);
  const ofJob = (jobId: JobId, rest: string): string => `/runner/jobs/${encodeURIComponent(jobId)}/${rest}`;
  const nothing = undefined as t.Decoder<unknown, void> | undefined;
  return {
    heartbeat: (body) => send({ path: '/runner/heartbeat', body, codec: HeartbeatAnswer, milliseconds: 5_000 }),
    poll: (body, signal) =>
      send({ path: '/runner/poll', body, codec: PolledMessages, milliseconds: pollMilliseconds, signal }),
    start: (jobId, body) => send({ path: ofJob(jobId, 'start'), body, codec: nothing }),
    reportStep: (jobId, body) => send({ path: ofJob(jobId, 'steps'), body, codec: nothing }),
    sendLogs: (jobId, body) => send({ path: ofJob(jobId, 'logs'), body, codec: LogAcknowledgement }),
    complete: (jobId, body) => send({ path: ofJob(jobId, 'complete'), body, codec: nothing }),
    createArtifact: (jobId, token, body) =>
      send({ path: ofJob(jobId, 'artifacts'), token, body, codec: ArtifactUpload }),
    commitArtifact: ({ jobId, artifactId }, token, body) =>
      send<'committed' | 'still reading'>({
        path: ofJob(jobId, `artifacts/${encodeURIComponent(artifactId)}/commit`),
        token,
        body,
        codec: undefined,
        ofStatus: (status) => (status === 202 ? 'still reading' : 'committed'),
      }),
    listArtifacts: (jobId, token, name) => {
      const query = name === undefined ? '' : `?name=${encodeURIComponent(name)}`;
      return send({ method: 'GET', path: ofJob(jobId, `artifacts${query}`), token, codec: ArtifactDownloads });
    },
  };
};
