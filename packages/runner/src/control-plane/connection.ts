/**
 * The way to the service: a WebSocket that is opened again when it breaks, and requests where none can be opened. Heartbeats go over
 * whichever works; each answer comes with the time at which its question was sent.
 */
import { isLeft } from 'fp-ts/Either';
import WebSocket from 'ws';
import type { JobId } from '../../../../domain/workflow/ids';
import {
  type FromRunner,
  type Heartbeat,
  runnerProtocol,
  type ToRunner,
} from '../../../../domain/workflow/protocol/runner';
import type { RunnerLog } from '../runner-log';
import { decodeMessage } from './messages';
import { reconnectDelay } from './reconnect-delay';
import { challengeHeader, isChallenge, type Requests } from './requests';

export interface ConnectionOptions {
  readonly url: string;
  readonly credential: string;
  readonly requests: Requests;
  readonly heartbeatMilliseconds: number;
  /** How many more jobs it would take now. */
  readonly slots: () => number;
  /** One per running job, or one without a job. */
  readonly heartbeats: () => readonly Heartbeat[];
  readonly received: (message: ToRunner, sentAt: number | undefined) => void;
  /** The credential is worthless. */
  readonly unauthenticated: () => void;
  readonly log: RunnerLog;
  readonly signal: AbortSignal;
}

export interface Connection {
  /** The number of slots has changed. */
  readonly announceSlots: () => void;
  readonly ended: Promise<void>;
}

const handshakeMilliseconds = 10_000;
const longestMessage = 2 ** 24;
/** Attempts to open a WebSocket before the runner also polls. */
const attemptsBeforePolling = 2;
/** Without an answer for so many heartbeats, a socket is given up. */
const silentHeartbeats = 2;

type SocketEnd = 'never-opened' | 'closed' | 'unauthenticated';

const keyOf = (jobId: JobId | null): string => jobId ?? '';

export const openConnection = (options: ConnectionOptions): Connection => {
  const { requests, received, log, signal, heartbeatMilliseconds } = options;
  let socket: WebSocket | undefined;
  /** Times at which heartbeats were sent that have no answer yet, by job, the oldest first. */
  let unanswered = new Map<string, number[]>();
  /** Over the present socket. */
  let assignments = 0;

  const parse = (text: string): unknown => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return undefined;
    }
  };
  const accept = (value: unknown): void => {
    const message = decodeMessage(value);
    if (isLeft(message)) {
      log('warn', 'a message of the service was not understood', { message: message.left });
      return;
    }
    const sentAt = message.right.type === 'heartbeat' ? unanswered.get(keyOf(message.right.jobId))?.shift() : undefined;
    if (message.right.type === 'assign') assignments += 1;
    received(message.right, sentAt);
  };
  const send = (message: FromRunner): boolean => {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  };
  const announceSlots = (): void => void send({ type: 'ready', slots: options.slots(), assignments });
  const isSilent = (now: number): boolean =>
    [...unanswered.values()].some(
      ([oldest]) => oldest !== undefined && now - oldest > silentHeartbeats * heartbeatMilliseconds,
    );

  const heartbeatByRequest = async (heartbeat: Heartbeat): Promise<void> => {
    const sentAt = performance.now();
    const answer = await requests.heartbeat(heartbeat);
    if (answer.kind === 'ok') received({ type: 'heartbeat', jobId: heartbeat.job_id, ...answer.value }, sentAt);
    else if (answer.kind === 'stale' && heartbeat.job_id !== null)
      received({ type: 'heartbeat', jobId: heartbeat.job_id, leaseSeconds: 0, cancel: null }, sentAt);
    else if (answer.kind === 'unauthenticated') options.unauthenticated();
  };
  const sendHeartbeats = (): void => {
    const now = performance.now();
    if (isSilent(now)) socket?.terminate();
    for (const heartbeat of options.heartbeats()) {
      if (!send({ type: 'heartbeat', ...heartbeat })) {
        void heartbeatByRequest(heartbeat);
        continue;
      }
      const key = keyOf(heartbeat.job_id);
      unanswered.set(key, [...(unanswered.get(key) ?? []), now]);
    }
  };
  const timer = setInterval(sendHeartbeats, heartbeatMilliseconds);

  const runSocket = (): Promise<SocketEnd> =>
    new Promise((resolve) => {
      let end: SocketEnd = 'never-opened';
      const address = new URL('/runner/socket', options.url);
      address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
      const opened = new WebSocket(address, runnerProtocol, {
        headers: { Authorization: `Bearer ${options.credential}` },
        handshakeTimeout: handshakeMilliseconds,
        maxPayload: longestMessage,
        perMessageDeflate: false,
        followRedirects: false,
      });
      const abort = (): void => opened.terminate();
      signal.addEventListener('abort', abort, { once: true });
      opened.on('open', () => {
        end = 'closed';
        socket = opened;
        unanswered = new Map();
        log('info', 'connected', {});
        assignments = 0;
        announceSlots();
        sendHeartbeats();
      });
      opened.on('message', (bytes) => accept(parse(String(bytes))));
      opened.on('unexpected-response', (_request, response) => {
        if (isChallenge(response.statusCode, response.headers[challengeHeader])) end = 'unauthenticated';
        response.destroy();
        opened.terminate();
      });
      // `close` follows.
      opened.on('error', () => undefined);
      opened.on('close', () => {
        signal.removeEventListener('abort', abort);
        if (socket === opened) socket = undefined;
        unanswered = new Map();
        resolve(end);
      });
    });
  const poll = async (): Promise<void> => {
    const answer = await requests.poll({ slots: options.slots() }, signal);
    if (answer.kind === 'unauthenticated') options.unauthenticated();
    if (answer.kind === 'ok') for (const message of answer.value.messages) accept(message);
  };
  const isClosed = (): boolean => signal.aborted;
  const run = async (): Promise<void> => {
    for (let failures = 0; !isClosed(); ) {
      const end = await runSocket();
      if (isClosed()) break;
      if (end === 'unauthenticated') options.unauthenticated();
      failures = end === 'closed' ? 0 : failures + 1;
      log('warn', 'not connected', { failures });
      if (failures >= attemptsBeforePolling) await poll();
      await reconnectDelay(failures, signal);
    }
    clearInterval(timer);
  };
  return {
    announceSlots,
    ended: run(),
  };
};
