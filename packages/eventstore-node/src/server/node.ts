/** Starts and stops a node on a data directory. */
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { Server, status } from '@grpc/grpc-js';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { describeProcess, lockDirectory } from '../../../data-directory/src/index';
import { createSecureAccess, unrestrictedAccess } from '../access/access';
import { createAcl } from '../access/acl';
import { startClearingStaleReaders } from '../backup/stale-readers';
import type { Node } from '../protocol/call-context';
import { CallError } from '../protocol/errors';
import { registerServices } from '../protocol/register-services';
import { openStorage } from '../storage/storage';
import { startWriter } from '../storage/writer';
import { ensureStandardUsers } from '../users/bootstrap-users';
import type { ScryptParameters } from '../users/password-hash';
import { openUsers } from '../users/users';
import { createCommitNotifier } from './commit-notifier';
import { createHttpHandler } from './http-endpoints';
import { writeInitialEvents } from './initial-events';
import { type Listener, listen, readCertificate } from './listen';

export interface ServeOptions {
  readonly data: string;
  /** Directory of `node.crt` and `node.key`; insecure if undefined. */
  readonly certs: string | undefined;
  readonly insecureAnywhere: boolean;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly report: (error: unknown) => void;
  /** Cost of new password hashes; the default is strong, tests use a cheap one. */
  readonly passwordStrength?: ScryptParameters;
}

export interface RunningNode {
  readonly host: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** The largest log record, which bounds requests. */
const maxRequestBytes = 16 * 1024 * 1024;
const graceMilliseconds = 5_000;

const channelOptions = {
  'grpc.max_receive_message_length': maxRequestBytes,
  'grpc.max_send_message_length': -1,
  'grpc.max_concurrent_streams': 100,
  'grpc.keepalive_permit_without_calls': 1,
};

const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** From Node 24 on, `tryShutdown` calls back while sessions still close and answers are on their way, so the sockets are waited for. */
const shutDownGracefully = async (server: Server, { openCalls: open }: Node, listening: Listener): Promise<void> => {
  const force = setTimeout(() => server.forceShutdown(), graceMilliseconds);
  listening.close();
  const isShutDown = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  // Ends open subscriptions, which would otherwise never end; clients reconnect.
  for (const end of open) end(new CallError(status.UNAVAILABLE, 'Server Is Not Ready'));
  await isShutDown;
  await listening.grpcClosed();
  clearTimeout(force);
  listening.forget();
};

const createNode = (options: ServeOptions, port: () => number): Node => {
  const storage = openStorage(options.data);
  const commitNotifier = createCommitNotifier();
  const writer = startWriter(storage, commitNotifier.notify);
  const users = openUsers({ storage, writer, strength: options.passwordStrength });
  const access =
    options.certs === undefined ? unrestrictedAccess : createSecureAccess(users.authenticate, createAcl(storage));
  const instanceId = randomUUID();
  const member = () => ({ instanceId, host: options.host, port: port() });
  return {
    storage,
    writer,
    commitNotifier,
    access,
    users,
    member,
    openCalls: new Set(),
    report: options.report,
  };
};

/** Writes the initial events and users before the first call. */
const prepareAndListen = async (
  node: Node,
  server: Server,
  options: ServeOptions,
): Promise<Either<string, Listener>> => {
  const tls = options.certs === undefined ? right(undefined) : readCertificate(options.certs);
  if (isLeft(tls)) return tls;
  const begun = await writeInitialEvents(node);
  if (isLeft(begun)) return begun;
  if (tls.right !== undefined) {
    const prepared = await ensureStandardUsers(
      { ...node, strength: options.passwordStrength },
      options.data,
      process.env,
    );
    if (isLeft(prepared)) return prepared;
  }
  registerServices(server, node);
  return listen({ grpc: server, http: createHttpHandler(node), tls: tls.right }, options);
};

/** Left: one line for the operator. */
export const startNode = async (options: ServeOptions): Promise<Either<string, RunningNode>> => {
  const exposed = options.certs === undefined && !isLoopbackHost(options.host) && !options.insecureAnywhere;
  if (exposed)
    return left(`Insecure mode serves loopback only, not ${options.host}: give --certs, or --insecure-anywhere.`);
  const lock = lockDirectory(options.data, 'node');
  if (isLeft(lock)) return left(`${options.data} is in use: ${describeProcess(lock.left)} already serves it.`);
  let port = options.port;
  const node = createNode(options, () => port);
  const stopClearingReaders = startClearingStaleReaders(node.storage.tables.root);
  const server = new Server(channelOptions);
  const release = async (): Promise<void> => {
    stopClearingReaders();
    await node.writer.idle();
    await node.storage.tables.root.close();
    lock.right.release();
  };
  const listening = await prepareAndListen(node, server, options);
  if (isLeft(listening)) {
    await release();
    return listening;
  }
  port = listening.right.port;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= shutDownGracefully(server, node, listening.right).then(release));
  return right({ host: options.host, port, close });
};
