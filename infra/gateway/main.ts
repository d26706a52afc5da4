/** Entry point of the gateway: opens its parts and listens. */
import { createSecretKey } from 'node:crypto';
import { contexts } from '../../domain/contexts';
import { createJwksCache } from '../../packages/resource-server/src/verification/index';
import { blobProblems } from '../adapters/blobs/local/http/problems';
import { blobOriginOf } from '../adapters/blobs/s3/public-origin';
import { openRedisExpiringStore } from '../adapters/redis/identity/expiring-store';
import { memoryExpiringStore } from '../adapters/redis/identity/memory-expiring-store';
import { memoryReplayCache } from '../adapters/redis/identity/memory-replay-cache';
import { openRedisReplayCache } from '../adapters/redis/identity/replay-cache';
import type { ExpiringStore } from '../ports/identity/expiring-store';
import type { ReplayCache } from '../ports/identity/replay-cache';
import { accountCookies } from '../server/http/identity/account-cookies';
import { openCallerKeys } from '../server/http/identity/caller-keys';
import { openMacSigner } from '../server/http/identity/caller-mac';
import { openCallerSigner } from '../server/http/identity/caller-signer';
import { ownOrigins } from '../server/http/identity/own-origins';
import { listen } from '../server/http/server/listener';
import { tracePublicListener } from '../server/http/server/request-tracing';
import { type Running, runProcess, type ServiceContext, service } from '../server/runtime/service';
import { createShutdownSteps } from '../server/runtime/shutdown';
import { macKeyVariable, systemServices } from '../server/services';
import { readEdges } from '../server/video/edges';
import { createAddressResolver } from './authentication/client-address';
import { tlsOptionsFrom } from './authentication/client-certificate';
import { openAuthentication, openExtAuthz } from './authentication/configure';
import { publishStaleness, scheduleCacheRefresh, waitForCaches } from './authentication/revocation-freshness';
import { openConsole } from './bff/console';
import { sessionDocument, sessionProblems } from './bff/session-api';
import { openAuthEvents } from './composition/auth-events';
import { openEventLog } from './composition/event-log';
import { openModelProxy } from './composition/models';
import { openPolicyCheck, openTenantPolicies } from './composition/policy';
import { openQuotaUsage } from './composition/quota-usage';
import { openFailureLimit, openRateLimit } from './composition/rate-limit';
import { openRedisHealth } from './composition/redis-health';
import { openRefusalReporter } from './composition/refusals';
import { openRevocations } from './composition/revocations';
import type { GatewayContext } from './config';
import { type Config, config, macKeyOf } from './config';
import { createLocalPages } from './docs/local-pages';
import { createOpenApiDocument, merge } from './docs/openapi-document';
import { openPlatformHealthHandler, platformHealthDocument } from './health/platform-health';
import { gatewayHealth } from './health/readiness';
import { createLoopbackRedirect } from './loopback-redirect';
import { startMetricsListener } from './metrics-listener';
import { createGateway } from './pipeline';
import { ownProblems } from './problems';
import { fetchServiceJson, openUpstreams } from './proxy/upstreams';
import { createCallerRegistry } from './rate-limit/caller-registry';
import { declaredDocument } from './routing/declared-operations';
import { isTransfer } from './routing/destinations';
import { createRouteTable } from './routing/route-table';
import { createApprovalsClient } from './step-up/approvals-client';
import { createStepUp } from './step-up/step-up';
import { openStreamRegistry } from './stream-registry';
import { listenerHeaderBytes } from './validate-request';
import { createUpgradeHandler } from './websocket/upgrade';

/** With spaces between; undefined: clients read content at the gateway's own origin alone. */
const contentOriginsOf = (values: GatewayContext['config']): string | undefined => {
  const origins = [blobOriginOf(values), ...readEdges(values).map(({ url }) => url)];
  return origins.filter((origin) => origin !== undefined).join(' ') || undefined;
};

/** The command API makes the first keys while the gateway starts. */
const keysGraceMilliseconds = 10_000;

const openStores = (opened: GatewayContext) => {
  const { config: values, context } = opened;
  const { log, env } = context;
  const signer = openCallerSigner({ text: values.INTERNAL_SIGNING_KEY, path: env.INTERNAL_SIGNING_KEY_FILE, log });
  const macSigners = Object.fromEntries(
    systemServices.map(({ name }) => {
      const text = macKeyOf(values, name);
      const path = env[`${macKeyVariable(name)}_FILE`];
      return [name, text === undefined ? undefined : openMacSigner({ text, path, log })];
    }),
  );
  const callerKeys = openCallerKeys({ text: values.INTERNAL_KEYS, path: env.INTERNAL_KEYS_FILE, log });
  const sessionKey = createSecretKey(Buffer.from(values.SESSION_KEY));
  const { all: behind, open, named: upstreams } = openUpstreams(opened);
  const keys = createJwksCache({
    fetch: () => fetchServiceJson(upstreams.commands, signer, '/oauth/jwks'),
    log,
    now: () => performance.now(),
    graceMilliseconds: keysGraceMilliseconds,
  });
  const store = openEventLog(opened);
  const revocations = openRevocations(opened, keys, store);
  const policies = openTenantPolicies(opened, store);
  const redis = openRedisHealth(opened);
  const health = gatewayHealth({ keys, revocations, upstreams: open, redis, leaving: context.leaving });
  const own = merge([sessionDocument(), platformHealthDocument()]);
  const declared = declaredDocument(contexts);
  const openApi = createOpenApiDocument({
    upstreams: behind,
    signer,
    publicUrl: values.PUBLIC_URL,
    own: merge([own, declared]),
  });
  const signing = { signer, macSigners, callerKeys, sessionKey };
  const reading = { store, revocations, policies };
  return { ...signing, ...reading, upstreams, keys, health, openApi, routes: createRouteTable(openApi, own.paths) };
};

/** Socket tickets are single use across all gateways that share Redis. */
const openTicketReplayCache = ({ config: { REDIS_URL }, closing }: GatewayContext): ReplayCache => {
  const once = REDIS_URL === undefined ? memoryReplayCache() : openRedisReplayCache(REDIS_URL, 'stream-ticket');
  closing.add('ticket replay cache', once.close);
  return once;
};

/** DPoP proofs are single use across all gateways that share Redis. */
const openProofReplayCache = ({ config: { REDIS_URL }, closing }: GatewayContext): ReplayCache | undefined => {
  if (REDIS_URL === undefined) return undefined;
  const once = openRedisReplayCache(REDIS_URL, 'dpop');
  closing.add('proof replay cache', once.close);
  return once;
};

/** Browser sessions, shared by all gateways that use the same Redis. */
const openSessionStore = ({ config: { REDIS_URL }, closing }: GatewayContext): ExpiringStore => {
  const store = REDIS_URL === undefined ? memoryExpiringStore() : openRedisExpiringStore(REDIS_URL, 'console-session');
  closing.add('sessions', store.close);
  return store;
};

const gatewayOptionsFor = (opened: GatewayContext, parts: ReturnType<typeof openStores>) => {
  const { config: values, context, closing } = opened;
  const { revocations, health, openApi } = parts;
  const { BODY_LIMIT: bodyLimit, ALLOWED_ORIGINS: allowedOrigins } = values;
  const { log, metrics, signal: draining } = context;
  const streams = openStreamRegistry({ revocations, metrics, draining });
  closing.add('streams', async () => streams.close());
  const authentication = openAuthentication(opened, { ...parts, replayCache: openProofReplayCache(opened) });
  const calls = { commands: parts.upstreams.commands, signer: parts.signer, publicUrl: values.PUBLIC_URL };
  const stepUp = createStepUp(createApprovalsClient(calls, log), authentication.audience);
  const checkPolicy = openPolicyCheck(opened, { ...parts, authentication, stepUp });
  const counts = openQuotaUsage(opened, parts.signer);
  const rateLimit = openRateLimit(opened, counts);
  const authEvents = openAuthEvents(opened);
  const console = openConsole({
    ...parts,
    authentication,
    sessionStore: openSessionStore(opened),
    publicUrl: values.PUBLIC_URL,
    contentOrigins: contentOriginsOf(values),
    log,
  });
  const cookies = accountCookies(values.PUBLIC_URL);
  const { verifiedTokens: store, certificateOf } = authentication;
  const sessionCookie = console.browsers.cookie;
  const callers = createCallerRegistry({
    verifiedTokens: store,
    certificateOf,
    accountCookies: cookies,
    sessionCookie,
  });
  return {
    ...parts,
    authentication,
    rateLimit,
    callers,
    failures: openFailureLimit(opened, { rateLimit, callers }),
    refusals: openRefusalReporter(opened, parts),
    authEvents,
    checkPolicy,
    stepUp,
    models: openModelProxy(opened, { ...console, authentication, streams, rateLimit, authEvents, counts, checkPolicy }),
    resolveClientAddress: createAddressResolver(values.TRUSTED_PROXIES),
    extAuthz: openExtAuthz(opened, { authentication, rateLimit, authEvents, checkPolicy }),
    console,
    accountCookies: cookies,
    loopbackRedirect: createLoopbackRedirect(values.PUBLIC_URL),
    shield: { allowedOrigins, https: values.PUBLIC_URL.startsWith('https:') },
    origins: [...ownOrigins(values.PUBLIC_URL), ...allowedOrigins],
    originMismatch: console.browsers.originMismatch,
    bodyLimit,
    pages: createLocalPages({
      openApi,
      health,
      issuer: values.ISSUER,
      problems: { ...blobProblems, ...sessionProblems, ...ownProblems },
    }),
    platformHealth: openPlatformHealthHandler(opened, health),
    ticketReplayCache: openTicketReplayCache(opened),
    streams,
    leaving: context.leaving,
    draining,
    log,
    metrics,
    trace: context.trace,
  };
};

const start = async (values: Config, context: ServiceContext): Promise<Running> => {
  const closing = createShutdownSteps(context.log);
  const opened = { config: values, context, closing };
  const parts = openStores(opened);
  scheduleCacheRefresh(parts, closing);
  publishStaleness(parts.revocations, context.metrics, closing);
  await startMetricsListener(opened, parts.health);
  await waitForCaches(parts);
  await parts.routes.refresh();
  const place = {
    host: values.HOST,
    port: values.PORT,
    headersBytes: listenerHeaderBytes,
    unhurried: isTransfer,
    defersContinue: true as const,
    tls: tlsOptionsFrom(values),
  };
  const options = gatewayOptionsFor(opened, parts);
  const traced = tracePublicListener(context.trace, values.TRUST_TRACEPARENT === 'true', createGateway(options));
  const listener = await listen(traced, { ...place, upgrade: createUpgradeHandler(options) });
  closing.add('listener', listener.close);
  return {
    port: listener.port,
    ready: parts.health,
    close: async () => void (await closing.close()),
  };
};

const gatewayService = service({ name: 'gateway', config, start });

export { gatewayService as service };

if (require.main === module) runProcess(gatewayService);
