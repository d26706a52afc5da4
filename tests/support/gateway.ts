/** A gateway on loopback between a client and two small services, with tokens that it accepts. */
import { createSecretKey } from 'node:crypto';
import { epochCache } from '../../infra/epochs/epochs';
import type { Console, ConsoleOptions } from '../../infra/gateway/console';
import { documentation } from '../../infra/gateway/documentation';
import { gateway } from '../../infra/gateway/gateway';
import { gatewayHealth } from '../../infra/gateway/health';
import { keyring } from '../../infra/gateway/keyring';
import { memoryOnce } from '../../infra/gateway/once';
import { pages } from '../../infra/gateway/pages';
import { ownProblems } from '../../infra/gateway/problems';
import { isBlobTarget } from '../../infra/gateway/routes';
import { requiredScopes } from '../../infra/gateway/scopes';
import { openStreams } from '../../infra/gateway/streams';
import { upgrades } from '../../infra/gateway/upgrade';
import { askJson, openUpstream, type UpstreamOptions } from '../../infra/gateway/upstream';
import { verifiedTokens } from '../../infra/gateway/verified';
import { type ListenOptions, listen } from '../../infra/http/listener';
import type { BoundRoute } from '../../infra/http/route';
import { openMetrics } from '../../infra/metrics';
import { internalKey, keptLog } from './http-service';
import { claimsAt, signingKey, tokenWith } from './tokens';

const key = signingKey('key-1');

export const tokenAt = (now: number, changes: object = {}): string => tokenWith(key, claimsAt(now, changes));

export interface TestGateway {
  readonly commandsPort: number;
  readonly readApiPort: number;
  readonly blobsPort?: number;
  readonly limits?: Partial<ListenOptions>;
  readonly upstream?: Partial<UpstreamOptions>;
  readonly bodyLimit?: number;
  readonly allowedOrigins?: readonly string[];
  readonly https?: boolean;
  /** Pages and sessions; without it the gateway has none. */
  readonly console?: (parts: Omit<ConsoleOptions, 'kept' | 'publicUrl'>) => Console;
  readonly leaving?: AbortSignal;
}

export const startGateway = async (options: TestGateway) => {
  const { commandsPort, readApiPort, limits, upstream, bodyLimit = 1_048_576 } = options;
  const log = keptLog();
  const secret = createSecretKey(Buffer.from(internalKey));
  const at = (title: string, port: number) => openUpstream({ title, url: `http://127.0.0.1:${port}`, ...upstream });
  const commands = at('command API', commandsPort);
  const blobs = options.blobsPort === undefined ? undefined : at('blob store', options.blobsPort);
  const upstreams = { commands, 'read-api': at('query API', readApiPort), processes: commands, blobs };
  const behind = [commands, upstreams['read-api']];
  const epochs = epochCache();
  epochs.apply({ kind: 'heartbeat' });
  const fetchKeys = () => askJson(upstreams.commands, secret, '/oauth/jwks');
  const keys = keyring({ fetch: fetchKeys, log, now: () => performance.now() });
  const authentication = {
    keys,
    epochs,
    verified: verifiedTokens(),
    denied: () => false,
    issuer: 'http://septet.test',
    audience: 'septet',
    now: Date.now,
  };
  const draining = new AbortController();
  const leaving = options.leaving === undefined ? {} : { leaving: options.leaving };
  const openApi = documentation({ upstreams: behind, internalKey: secret, publicUrl: 'http://septet.test' });
  const scopes = requiredScopes(openApi);
  await scopes.refresh();
  const metrics = openMetrics('gateway');
  const streams = openStreams({ epochs, metrics, draining: draining.signal });
  const own = options.console?.({ authentication, upstreams, internalKey: secret, log });
  const doors = {
    ...(own === undefined ? {} : { console: own }),
    scopes,
    draining: draining.signal,
    ...leaving,
    streams,
    authentication,
    upstreams,
    internalKey: secret,
    shield: { allowedOrigins: options.allowedOrigins ?? [], https: options.https ?? false },
    origins: ['http://septet.test', ...(options.allowedOrigins ?? [])],
    shown: memoryOnce(),
    bodyLimit,
    pages: pages({
      problems: ownProblems,
      openApi,
      health: gatewayHealth({ keys, epochs, upstreams: behind, ...leaving }),
    }),
    log,
    metrics,
  };
  const place = {
    host: '127.0.0.1',
    port: 0,
    headersBytes: 16_384,
    unhurried: isBlobTarget,
    upgrade: upgrades(doors),
    ...limits,
  };
  const listener = await listen(gateway(doors), place);
  const url = `http://127.0.0.1:${listener.port}`;
  const token = (changes: object = {}) => tokenAt(Date.now(), changes);
  return {
    url,
    port: listener.port,
    log,
    epochs,
    token,
    drain: () => draining.abort(),
    call: (path: string, init: RequestInit = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${token()}`, ...init.headers } }),
    close: async () => {
      streams.close();
      await listener.close();
      await Promise.all([...behind, ...(blobs === undefined ? [] : [blobs])].map(({ pool }) => pool.destroy()));
    },
  };
};

/** The routes every command API has that the gateway depends on. */
export const jwksRoute: BoundRoute = {
  method: 'get',
  path: '/oauth/jwks',
  operation: 'getSigningKeys',
  summary: 'Keys.',
  access: 'public',
  answers: { 200: { description: 'Keys.' } },
  handle: async () => ({ status: 200, body: { keys: [key.jwk] } }),
};
