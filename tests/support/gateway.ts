/** A gateway on loopback between a client and two small services, with tokens that it accepts. */
import { createSecretKey } from 'node:crypto';
import { openCallers } from '../../infra/gateway/callers';
import { locating } from '../../infra/gateway/client-address';
import { documentation } from '../../infra/gateway/documentation';
import { extAuthz } from '../../infra/gateway/ext-authz';
import { gateway } from '../../infra/gateway/gateway';
import { gatewayHealth } from '../../infra/gateway/health';
import { learntRoutes } from '../../infra/gateway/learnt-routes';
import { loopbackRedirect } from '../../infra/gateway/loopback-names';
import { memoryOnce } from '../../infra/gateway/once';
import { pages } from '../../infra/gateway/pages';
import { ownProblems } from '../../infra/gateway/problems';
import { openFailures } from '../../infra/gateway/rate-limit-failures';
import { callerRulesOf } from '../../infra/gateway/rate-limit-given';
import { ownPolicy } from '../../infra/gateway/rate-limit-policy';
import { isBlobTarget } from '../../infra/gateway/routes';
import { openStreams } from '../../infra/gateway/streams';
import { upgrades } from '../../infra/gateway/upgrade';
import { askJson, openUpstream } from '../../infra/gateway/upstream';
import { listen } from '../../infra/http/listener';
import type { BoundRoute } from '../../infra/http/route';
import { openMetrics } from '../../infra/metrics';
import { memoryStore } from '../../packages/ratelimit/src/store/memory-store';
import { securityState } from '../../packages/resource-server/src/security-state/state';
import { keptTokens } from '../../packages/resource-server/src/verification/kept-tokens';
import { keyring } from '../../packages/resource-server/src/verification/keyring';
import { knownHeaders } from '../../packages/resource-server/src/verification/token-header';
import type { TestGateway } from './gateway-options';
import { keptLog } from './http-service';
import { macSigner, signatures, signer } from './internal-keys';
import { limitedBy } from './limits';
import { claimsAt, signingKey, tokenWith } from './tokens';

const key = signingKey('key-1');

export const tokenAt = (now: number, changes: object = {}): string => tokenWith(key, claimsAt(now, changes));

export const startGateway = async (options: TestGateway) => {
  const { commandsPort, readApiPort, limits, upstream, bodyLimit = 1_048_576 } = options;
  const log = keptLog();
  const sessionKey = createSecretKey(Buffer.alloc(32, 1));
  const at = (title: string, port: number) => openUpstream({ title, url: `http://127.0.0.1:${port}`, ...upstream });
  const commands = at('command API', commandsPort);
  const blobs = options.blobsPort === undefined ? undefined : at('blob store', options.blobsPort);
  const { editorUrl } = options;
  const editor = editorUrl === undefined ? undefined : openUpstream({ title: 'editor', url: editorUrl, ...upstream });
  const ratelimit = options.ratelimitPort === undefined ? undefined : at('rate limiter', options.ratelimitPort);
  const upstreams = {
    commands,
    'read-api': at('query API', readApiPort),
    processes: commands,
    blobs,
    editor,
    ratelimit,
  };
  const some = [editor, ratelimit].filter((one) => one !== undefined);
  const all = [commands, upstreams['read-api'], ...some];
  const behind = options.documented === 'all' ? all : [commands, upstreams['read-api']];
  const revocations = securityState();
  revocations.apply({ kind: 'heartbeat', sequence: null });
  const fetchKeys = () => askJson(upstreams.commands, signer, '/oauth/jwks');
  const keys = keyring({ fetch: fetchKeys, log, now: () => performance.now() });
  const authentication = {
    keys,
    kept: keptTokens(),
    headers: knownHeaders(),
    revocations,
    origin: 'http://septet.test',
    issuer: 'http://septet.test',
    audience: 'septet',
    now: Date.now,
    ...options.checks,
  };
  const draining = new AbortController();
  const leaving = options.leaving === undefined ? {} : { leaving: options.leaving };
  const openApi = documentation({ upstreams: behind, signer, publicUrl: 'http://septet.test' });
  const routes = learntRoutes(openApi);
  await routes.refresh();
  const metrics = openMetrics('gateway');
  const streams = openStreams({ revocations, metrics, draining: draining.signal });
  const own = options.console?.({ authentication, upstreams, signer, sessionKey, log });
  const counted = options.policy && limitedBy(options.policy, options.limitStore ?? memoryStore(), { log, metrics });
  const callers = openCallers({
    kept: authentication.kept,
    accountCookies: options.accountCookies,
    sessionCookie: own?.browsers.cookie,
  });
  const callerRules = callerRulesOf(options.policy ?? ownPolicy);
  const doors = {
    ...(own === undefined ? {} : { console: own }),
    ...(options.accountCookies === undefined ? {} : { accountCookies: options.accountCookies }),
    models: options.models?.({ authentication, streams, log }),
    routes,
    draining: draining.signal,
    ...leaving,
    streams,
    authentication,
    ...(counted === undefined ? {} : { rateLimit: counted }),
    callers,
    failures: counted && openFailures({ rateLimit: counted, callers, callerRules }),
    ...(options.publicUrl === undefined ? {} : { loopbackRedirect: loopbackRedirect(options.publicUrl) }),
    locate: locating(options.trustedProxies ?? []),
    extAuthz: options.extAuthz && extAuthz({ authentication, rateLimit: counted, ...options.extAuthz }),
    upstreams,
    signer,
    macSigners: { commands: macSigner, 'read-api': macSigner, editor: macSigner, ratelimit: macSigner },
    callerKeys: signatures,
    shield: { allowedOrigins: options.allowedOrigins ?? [], https: options.https ?? false },
    origins: ['http://septet.test', ...(options.allowedOrigins ?? [])],
    shown: memoryOnce(),
    bodyLimit,
    pages: pages({
      problems: ownProblems,
      openApi,
      health: gatewayHealth({ keys, revocations, upstreams: behind, ...leaving }),
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
  const url = `${limits?.tls === undefined ? 'http' : 'https'}://127.0.0.1:${listener.port}`;
  const token = (changes: object = {}) => tokenAt(Date.now(), changes);
  return {
    url,
    port: listener.port,
    log,
    metrics,
    revocations,
    token,
    drain: () => draining.abort(),
    call: (path: string, init: RequestInit = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${token()}`, ...init.headers } }),
    close: async () => {
      streams.close();
      await listener.close();
      await Promise.all([...all, ...(blobs === undefined ? [] : [blobs])].map((one) => one.close()));
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
