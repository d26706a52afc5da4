/** A line to the document's owner that comes back whenever it ends, until it is stopped. */
import type { FromClient } from '../../../../domain/editor/messages/from-client';
import type { Platform } from '../ports/platform';
import type { Line, LineEnd, Transport } from '../ports/transport';
import { backoff } from './backoff';
import { type Heartbeat, heartbeat } from './heartbeat';
import { openRenewal, type Renewal } from './renewal';
import { type Heard, heardIn } from './words';

export interface ConnectionOptions {
  readonly platform: Platform;
  readonly transport: Transport;
  readonly documentId: string;
  /** First on every line. */
  readonly join: () => FromClient;
  readonly heard: (message: Exclude<Heard, 'unknown' | 'malformed'>) => void;
  /** Before the next line is opened. */
  readonly ended: (end: LineEnd) => void;
  readonly fault: (error: unknown) => void;
}

interface Connection {
  readonly options: ConnectionOptions;
  line: Line | undefined;
  /** Calls off the giving up of a line that does not open. */
  opening: (() => void) | undefined;
  heartbeat: Heartbeat | undefined;
  renewal: Renewal | undefined;
  /** Since a line that lasted. */
  failures: number;
  /** When the line was joined. */
  joinedAt: number | undefined;
  /** Calls off the next try. */
  waiting: (() => void) | undefined;
  isStopped: boolean;
}

/** Behind some proxies, and where a machine slept meanwhile, nothing ever comes of it. */
const longestOpening = 15_000;

const drop = (connection: Connection): void => {
  const { line, opening, heartbeat: beat, renewal } = connection;
  Object.assign(connection, { line: undefined, opening: undefined, heartbeat: undefined, renewal: undefined });
  opening?.();
  beat?.stop();
  renewal?.stop();
  line?.close();
};

const say = ({ line }: Connection, message: FromClient): void => line?.send(JSON.stringify(message));

const hear = (connection: Connection, text: string): void => {
  const { options } = connection;
  const message = heardIn(text);
  connection.heartbeat?.heard();
  if (message === 'unknown') return;
  if (message === 'malformed') {
    options.fault(new Error('The owner said what is no message of its protocol.'));
    finish(connection, { code: 4400, reason: 'malformed-message' });
    return;
  }
  if (message.type === 'joined') {
    connection.joinedAt = options.platform.now();
    connection.renewal?.told(message.expiresAt);
  }
  options.heard(message);
};

const open = (connection: Connection): void => {
  const { options } = connection;
  const { platform, transport, documentId } = options;
  connection.waiting = undefined;
  // A line that is closed already may have had something left to say.
  const isThis = (): boolean => connection.line === line;
  const dead = (): void => finish(connection, { code: 0, reason: 'silent' });
  const line: Line = transport.open(documentId, {
    opened: () => {
      if (!isThis()) return;
      connection.opening?.();
      connection.heartbeat = heartbeat(platform, () => say(connection, { type: 'ping' }), dead);
      connection.renewal = openRenewal({ platform, transport }, (ticket) =>
        isThis() ? say(connection, { type: 'authenticate', ticket }) : undefined,
      );
      say(connection, options.join());
    },
    heard: (text) => (isThis() ? hear(connection, text) : undefined),
    ended: (end) => (isThis() ? finish(connection, end) : undefined),
  });
  connection.line = line;
  connection.opening = platform.later(longestOpening, dead);
};

const again = (connection: Connection, milliseconds: number): void => {
  connection.waiting?.();
  connection.waiting = connection.options.platform.later(milliseconds, () => open(connection));
};

/** One that ends as soon as it is joined (a snapshot cannot be read, say) is a failure as well. */
const lasting = 10_000;

const failuresBefore = ({ joinedAt, failures, options: { platform } }: Connection): number =>
  joinedAt !== undefined && platform.now() - joinedAt >= lasting ? 0 : failures;

function finish(connection: Connection, end: LineEnd): void {
  const { platform, ended } = connection.options;
  drop(connection);
  const failures = failuresBefore(connection);
  Object.assign(connection, { failures: failures + 1, joinedAt: undefined });
  ended(end);
  if (connection.isStopped) return;
  again(connection, backoff({ failures, isVisible: platform.isVisible(), random: platform.random }));
}

export interface OpenConnection {
  readonly say: (message: FromClient) => void;
  readonly sendText: (text: string) => void;
  /** Ends the line, and opens another one soon. */
  readonly restart: (reason: string) => void;
  /** Tries at once where it would wait. */
  readonly hurry: () => void;
  /** For good, or until `start`. */
  readonly stop: () => void;
  readonly start: () => void;
}

export const openConnection = (options: ConnectionOptions): OpenConnection => {
  const connection: Connection = {
    ...{ options, line: undefined, opening: undefined, heartbeat: undefined, renewal: undefined },
    ...{ failures: 0, joinedAt: undefined, waiting: undefined, isStopped: true },
  };
  return {
    say: (message) => say(connection, message),
    sendText: (text) => connection.line?.send(text),
    restart: (reason) => (connection.line === undefined ? undefined : finish(connection, { code: 0, reason })),
    hurry: () => (connection.waiting === undefined ? undefined : again(connection, 0)),
    stop: () => {
      connection.isStopped = true;
      connection.waiting?.();
      connection.waiting = undefined;
      drop(connection);
    },
    start: () => {
      if (!connection.isStopped) return;
      connection.isStopped = false;
      again(connection, 0);
    },
  };
};
