/** A node on a data directory: opened, bound, closed. */
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { Server, status } from '@grpc/grpc-js';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { lockDirectory } from '../../lock';
import { openAccess } from './access/access';
import { createBell } from './bell';
import { httpAnswers } from './http';
import { type Listening, listen } from './listen';
import type { Node } from './protocol/calls';
import { CallEnded } from './protocol/errors';
import { addServices } from './protocol/service';
import { openStorage } from './storage/storage';
import { startWriter } from './storage/writer';
import { openUsers } from './users/users';

export interface ServeOptions {
  readonly data: string;
  /** Directory of `node.crt` and `node.key`; undefined: insecure. */
  readonly certs: string | undefined;
  readonly insecureAnywhere: boolean;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly report: (error: unknown) => void;
}

export interface RunningNode {
  readonly host: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Requests up to a log record's largest size; replies are ours. */
const largestMessage = 16 * 1024 * 1024;
const graceMilliseconds = 5_000;

const channelOptions = {
  'grpc.max_receive_message_length': largestMessage,
  'grpc.max_send_message_length': -1,
  'grpc.max_concurrent_streams': 100,
  'grpc.keepalive_permit_without_calls': 1,
};

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

const shutDown = (server: Server, { open }: Node, listening: Listening): Promise<void> =>
  new Promise((resolve) => {
    const force = setTimeout(() => server.forceShutdown(), graceMilliseconds);
    listening.close();
    server.tryShutdown(() => {
      clearTimeout(force);
      listening.forget();
      resolve();
    });
    // Open subscriptions would keep the server for ever: they are told, and reconnect elsewhere.
    for (const end of open) end(new CallEnded(status.UNAVAILABLE, 'Server Is Not Ready'));
  });

/** Left is one line for the person who started it. */
export const startNode = async (options: ServeOptions): Promise<Either<string, RunningNode>> => {
  const exposed = options.certs === undefined && !isLoopback(options.host) && !options.insecureAnywhere;
  if (exposed)
    return left(`Insecure mode serves loopback only, not ${options.host}: give --certs, or --insecure-anywhere.`);
  const lock = lockDirectory(options.data, 'node');
  if (isLeft(lock)) return left(`Process ${lock.left} already serves ${options.data}.`);
  const storage = openStorage(options.data);
  const bell = createBell();
  const writer = startWriter(storage, bell.ring);
  const users = openUsers({ storage, writer });
  const instanceId = randomUUID();
  let port = options.port;
  const member = () => ({ instanceId, host: options.host, port });
  const node: Node = {
    storage,
    writer,
    bell,
    access: openAccess,
    users,
    member,
    open: new Set(),
    report: options.report,
  };
  const server = new Server(channelOptions);
  addServices(server, node);
  const release = async (): Promise<void> => {
    await writer.idle();
    await storage.tables.root.close();
    lock.right.release();
  };
  const bound = await listen({ grpc: server, http: httpAnswers(node), tls: undefined }, options);
  if (isLeft(bound)) {
    await release();
    return bound;
  }
  const listening = bound.right;
  port = listening.port;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= shutDown(server, node, listening).then(release));
  return right({ host: options.host, port, close });
};
