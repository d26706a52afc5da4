/** A gateway on loopback between a client and two small services, with tokens that it accepts. */
import { createSecretKey } from 'node:crypto';
import { memoryReplayCache } from '../../../infra/adapters/redis/identity/memory-replay-cache';
import { createAuthEventRecorder } from '../../../infra/gateway/auth-events/auth-event-recorder';
import { createAddressResolver } from '../../../infra/gateway/authentication/client-address';
import { createLocalPages } from '../../../infra/gateway/docs/local-pages';
import { createOpenApiDocument } from '../../../infra/gateway/docs/openapi-document';
import { createExtAuthz } from '../../../infra/gateway/ext-authz';
import { gatewayHealth } from '../../../infra/gateway/health/readiness';
import { createLoopbackRedirect } from '../../../infra/gateway/loopback-redirect';
import { createGateway } from '../../../infra/gateway/pipeline';
import { createPolicyCheck } from '../../../infra/gateway/policy/policy-check';
import { stepUpRequired } from '../../../infra/gateway/policy/step-up-gate';
import { ownProblems } from '../../../infra/gateway/problems';
import { fetchServiceJson, openUpstream } from '../../../infra/gateway/proxy/upstreams';
import { createCallerRegistry } from '../../../infra/gateway/rate-limit/caller-registry';
import { callerRulesOf } from '../../../infra/gateway/rate-limit/configured-policy';
import { defaultPolicy } from '../../../infra/gateway/rate-limit/default-policy';
import { createFailureLimiter } from '../../../infra/gateway/rate-limit/failure-limiter';
import { createRefusalReporter } from '../../../infra/gateway/refusals/refusal-reporter';
import { isTransfer } from '../../../infra/gateway/routing/destinations';
import { createRouteTable } from '../../../infra/gateway/routing/route-table';
import { openStreamRegistry } from '../../../infra/gateway/stream-registry';
import { listenerHeaderBytes } from '../../../infra/gateway/validate-request';
import { createUpgradeHandler } from '../../../infra/gateway/websocket/upgrade';
import type { BoundRoute } from '../../../infra/server/http/routing/route';
import { listen } from '../../../infra/server/http/server/listener';
import { openMetrics } from '../../../infra/server/runtime/metrics';
import { memoryStore } from '../../../packages/ratelimit/src/store/memory-store';
import {
  createHeaderCache,
  createVerifiedTokenCache,
} from '../../../packages/resource-server/src/access-token/verify-token';
import { createJwksCache } from '../../../packages/resource-server/src/jose/jwks-cache';
import { createSecurityState } from '../../../packages/resource-server/src/revocation/security-state';
import { capturedLog } from '../http/http-service';
import { macSigner, signatures, signer } from '../http/internal-keys';
import type { TestGateway } from './gateway-options';
import { rateLimitOf } from './small-limits';
import { claimsAt, signingKey, tokenWith } from './tokens';

const key = signingKey('key-1');

export const tokenAt = (now: number, changes: object = {}): string => tokenWith(key, claimsAt(now, changes));

export const startGateway = async (options: TestGateway) => {
  const { commandsPort, readApiPort, limits, upstream, bodyLimit = 1_048_576 } = options;
  const log = capturedLog();
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
  const revocations = createSecurityState();
  revocations.apply({ kind: 'heartbeat', sequence: null });
  const fetchKeys = () => fetchServiceJson(upstreams.commands, signer, '/oauth/jwks');
  const keys = createJwksCache({ fetch: fetchKeys, log, now: () => performance.now() });
  const authentication = {
    keys,
    verifiedTokens: createVerifiedTokenCache(),
    headers: createHeaderCache(),
    revocations,
    origin: 'http://septet.test',
    issuer: 'http://septet.test',
    audience: 'septet',
    resourceMetadata: 'http://septet.test/.well-known/oauth-protected-resource',
    now: Date.now,
    ...options.checks,
  };
  const draining = new AbortController();
  const leaving = options.leaving === undefined ? {} : { leaving: options.leaving };
  const openApi = createOpenApiDocument({ upstreams: behind, signer, publicUrl: 'http://septet.test' });
  const routes = createRouteTable(openApi);
  await routes.refresh();
  const metrics = openMetrics('gateway');
  const streams = openStreamRegistry({ revocations, metrics, draining: draining.signal });
  const own = options.console?.({ authentication, upstreams, signer, sessionKey, log, contentOrigins: undefined });
  const { recordRefusal } = options;
  const reporting = { log, metrics, ...(recordRefusal === undefined ? {} : { recordRefusal }) };
  const counted = options.policy && rateLimitOf(options.policy, options.limitStore ?? memoryStore(), reporting);
  const callers = createCallerRegistry({
    verifiedTokens: authentication.verifiedTokens,
    accountCookies: options.accountCookies,
    sessionCookie: own?.browsers.cookie,
  });
  const callerRules = callerRulesOf(options.policy ?? defaultPolicy);
  const authEvents =
    options.recordAuthEvent &&
    createAuthEventRecorder({
      record: options.recordAuthEvent,
      audience: authentication.audience,
      now: authentication.now,
    });
  const checkPolicy =
    options.tenantPolicies &&
    createPolicyCheck({
      stepUp: async () => stepUpRequired(),
      introspect: async () => undefined,
      audience: authentication.audience,
      now: authentication.now,
      ...options.tenantPolicies,
    });
  const doors = {
    ...(own === undefined ? {} : { console: own }),
    ...(options.accountCookies === undefined ? {} : { accountCookies: options.accountCookies }),
    models: options.models?.({ authentication, streams, authEvents, checkPolicy, log }),
    routes,
    draining: draining.signal,
    ...leaving,
    streams,
    authentication,
    ...(counted === undefined ? {} : { rateLimit: counted }),
    callers,
    refusals:
      options.recordRefused &&
      createRefusalReporter({ record: options.recordRefused, templateOf: () => undefined, log }),
    authEvents,
    checkPolicy,
    stepUp: options.stepUp,
    failures: counted && createFailureLimiter({ rateLimit: counted, callers, callerRules }),
    ...(options.publicUrl === undefined ? {} : { loopbackRedirect: createLoopbackRedirect(options.publicUrl) }),
    resolveClientAddress: createAddressResolver(options.trustedProxies ?? []),
    extAuthz:
      options.extAuthz &&
      createExtAuthz({ authentication, rateLimit: counted, authEvents, checkPolicy, ...options.extAuthz }),
    upstreams,
    signer,
    macSigners: { commands: macSigner, 'read-api': macSigner, editor: macSigner, ratelimit: macSigner },
    callerKeys: signatures,
    shield: { allowedOrigins: options.allowedOrigins ?? [], https: options.https ?? false },
    origins: ['http://septet.test', ...(options.allowedOrigins ?? [])],
    ticketReplayCache: memoryReplayCache(),
    bodyLimit,
    pages: createLocalPages({
      problems: ownProblems,
      issuer: 'http://septet.test',
      openApi,
      health: gatewayHealth({ keys, revocations, upstreams: behind, ...leaving }),
    }),
    log,
    metrics,
  };
  const place = {
    host: '127.0.0.1',
    port: 0,
    headersBytes: listenerHeaderBytes,
    unhurried: isTransfer,
    defersContinue: true as const,
    upgrade: createUpgradeHandler(doors),
    ...limits,
  };
  const listener = await listen(createGateway(doors), place);
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
