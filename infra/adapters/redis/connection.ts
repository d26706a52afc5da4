/** One connection to Redis, a server or a cluster, its scripts, and how its failures read. */
import Redis, { Cluster, type ClusterOptions, type Command } from 'ioredis';
import { type RedisAt, redisAt } from '../../server/runtime/redis-address';
import { refuseWhileSilent } from './silence';

export type RedisConnection = Redis | Cluster;

const answerMilliseconds = 5_000;
const timeouts = { maxRetriesPerRequest: 1, commandTimeout: answerMilliseconds, connectTimeout: answerMilliseconds };
/** Nodes announce moved slots, but not new nodes: these are found by this refresh. */
const refreshMilliseconds = 15_000;

/** Account and TLS of all nodes, which are those of the first URL. */
const nodeOptions = (urls: readonly string[]) => {
  const [{ username = '', password = '', protocol = '' } = {}] = urls.map((url) => new URL(url));
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  };
};

/** For what needs other behaviour than `openRedis`. */
export const createCluster = (urls: readonly string[], { redisOptions, ...options }: ClusterOptions): Cluster =>
  new Cluster([...urls], {
    // Names stay names, as certificates of TLS have them.
    dnsLookup: (address, callback) => callback(null, address),
    ...options,
    redisOptions: { ...redisOptions, ...nodeOptions(urls) },
  });

type Send = (command: Command, ...rest: readonly unknown[]) => unknown;

/**
 * Commands that wait for a cluster are answered like commands that wait for a server: in time, and at once while it is known to be away. What was
 * answered is not sent later.
 */
const boundWaits = (cluster: Cluster): void => {
  const send = cluster.sendCommand.bind(cluster) as Send;
  let isAway = false;
  let waiting: (readonly [command: Command, send: () => unknown])[] = [];
  const refuse = (command: Command): void => command.reject(new Error('No node of the cluster can be reached.'));
  const takeWaiting = (): typeof waiting => {
    const taken = waiting;
    waiting = [];
    return taken.filter(([command]) => !command.isResolved);
  };
  cluster.on('ready', () => {
    isAway = false;
    for (const [, sendIt] of takeWaiting()) sendIt();
  });
  cluster.on('close', () => {
    isAway = true;
    for (const [command] of takeWaiting()) refuse(command);
  });
  const bounded: Send = (command, ...rest) => {
    command.setTimeout(answerMilliseconds);
    // Of the client itself, which looks for nodes.
    if (cluster.status === 'ready' || command.name === 'cluster') return send(command, ...rest);
    if (isAway) refuse(command);
    else waiting.push([command, () => send(command, ...rest)]);
    return command.promise;
  };
  Object.assign(cluster, { sendCommand: bounded });
};

/** By some of its nodes; the others are found by them. Keys of one command lie in one slot there. */
export const openRedisCluster = (urls: readonly string[], connectionName?: string): Cluster => {
  const cluster = createCluster(urls, {
    slotsRefreshInterval: refreshMilliseconds,
    redisOptions: { ...timeouts, ...(connectionName === undefined ? {} : { connectionName }) },
  });
  // Failures are answered where commands are sent; without a listener they would end the process.
  cluster.on('error', () => undefined);
  boundWaits(cluster);
  return cluster;
};

const openRedisServer = (url: string, connectionName?: string): Redis => {
  const redis = new Redis(url, { ...(connectionName === undefined ? {} : { connectionName }), ...timeouts });
  redis.on('error', () => undefined);
  refuseWhileSilent(redis, url);
  return redis;
};

export const openRedisAt = (at: RedisAt, connectionName?: string): RedisConnection =>
  'url' in at ? openRedisServer(at.url, connectionName) : openRedisCluster(at.cluster, connectionName);

/** With a name, other processes can check whether this connection is still open. */
export const openRedis = (address: string, connectionName?: string): RedisConnection =>
  openRedisAt(redisAt(address), connectionName);

/** The server, or each of a cluster's that has slots, for commands without keys. */
export const serversOf = async (redis: RedisConnection): Promise<readonly Redis[]> => {
  if (!(redis instanceof Cluster)) return [redis];
  // Its nodes are known once it is connected.
  await redis.ping();
  return redis.nodes('master');
};

type Argument = string | number;
/** Long lists of arguments come as an array each: a call has room for some ten thousand. */
export type Script = (
  keys: readonly string[],
  ...rest: readonly (Argument | readonly Argument[])[]
) => Promise<unknown>;

/** Sent once by its text, then by its hash; sent again when the server has lost it. */
export const script = (redis: RedisConnection, name: string, lua: string): Script => {
  redis.defineCommand(name, { lua });
  const commands = redis as unknown as Record<string, unknown>;
  const run = commands[name] as (...rest: readonly (Argument | readonly Argument[])[]) => Promise<unknown>;
  return (keys, ...rest) => run.call(redis, keys.length, keys, ...rest);
};
