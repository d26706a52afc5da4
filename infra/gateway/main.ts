/** The gateway as a process. */
import { createSecretKey } from 'node:crypto';
import { anyText, type ConfigOf, list, optional, orElse, variables, wholeNumber } from '../config';
import { openEventStore } from '../eventstore/client';
import { largestBody } from '../http/body';
import { listen } from '../http/listener';
import { operationalApp } from '../http/operational';
import type { Health } from '../ports/health';
import { redisFeed } from '../redis/feed';
import { type Running, runProcess, type ServiceContext, service } from '../service';
import { type Closers, closers } from '../shutdown';
import { documentation } from './documentation';
import { type EpochCache, epochCache, followEpochs } from './epochs';
import { epochsView, feedEpochs } from './feed-epochs';
import { firstAnswers, keepFresh, watchStaleness } from './freshness';
import { gateway } from './gateway';
import { gatewayHealth } from './health';
import { keyring } from './keyring';
import { logEpochs } from './log-epochs';
import { pages } from './pages';
import { requiredScopes } from './scopes';
import { askJson, openUpstream } from './upstream';
import { verifiedTokens } from './verified';

const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  INTERNAL_KEY: variables.INTERNAL_KEY,
  PUBLIC_URL: variables.PUBLIC_URL,
  ISSUER: variables.ISSUER,
  AUDIENCE: orElse(anyText, 'septet'),
  COMMANDS_URL: variables.COMMANDS_URL,
  READ_API_URL: variables.READ_API_URL,
  EVENTSTORE_URL: optional(variables.EVENTSTORE_URL),
  REDIS_URL: optional(variables.REDIS_URL),
  ALLOWED_ORIGINS: orElse(list, []),
  BODY_LIMIT: orElse(wholeNumber(1, largestBody), largestBody),
  /** Figures are not for the public: they are on loopback, and only where a port is given. */
  METRICS_PORT: optional(wholeNumber(0, 65_535)),
};
type Config = ConfigOf<typeof config>;

interface Opened {
  readonly config: Config;
  readonly context: ServiceContext;
  readonly closing: Closers;
}

/** Redis tells first; the log proves that nothing was missed. Either is enough, both are followed where both are given. */
const openEpochs = ({ config: { EVENTSTORE_URL, REDIS_URL }, context, closing }: Opened): EpochCache => {
  const cache = epochCache();
  if (EVENTSTORE_URL !== undefined) {
    const store = openEventStore({ url: EVENTSTORE_URL, log: context.log });
    closing.add('event store', store.close);
    void followEpochs(cache, logEpochs(store), context);
  }
  if (REDIS_URL !== undefined) void followEpochs(cache, feedEpochs(redisFeed(REDIS_URL, epochsView)), context);
  return cache;
};

const openUpstreams = ({ config: { COMMANDS_URL, READ_API_URL }, closing }: Opened) => {
  const commands = openUpstream({ title: 'command API', url: COMMANDS_URL });
  const readApi = openUpstream({ title: 'query API', url: READ_API_URL });
  closing.add('connections', async () => void (await Promise.all([commands.pool.destroy(), readApi.pool.destroy()])));
  return { commands, 'read-api': readApi };
};

const openParts = (opened: Opened) => {
  const { config: values, context } = opened;
  const internalKey = createSecretKey(Buffer.from(values.INTERNAL_KEY));
  const upstreams = openUpstreams(opened);
  const epochs = openEpochs(opened);
  const keys = keyring({
    fetch: () => askJson(upstreams.commands, internalKey, '/oauth/jwks'),
    log: context.log,
    now: () => performance.now(),
  });
  const behind = Object.values(upstreams);
  const health = gatewayHealth({ keys, epochs, upstreams: behind });
  const openApi = documentation({ upstreams: behind, internalKey, publicUrl: values.PUBLIC_URL });
  return { internalKey, upstreams, epochs, keys, health, openApi, scopes: requiredScopes(openApi) };
};

const handlerOf = ({ config: values, context }: Opened, parts: ReturnType<typeof openParts>) => {
  const { internalKey, upstreams, epochs, keys, health, openApi, scopes } = parts;
  const { ISSUER: issuer, AUDIENCE: audience, BODY_LIMIT: bodyLimit } = values;
  return gateway({
    // Single tokens cannot be revoked yet: no feed names one.
    authentication: { keys, epochs, verified: verifiedTokens(), denied: () => false, issuer, audience, now: Date.now },
    scopes,
    upstreams,
    internalKey,
    shield: { allowedOrigins: values.ALLOWED_ORIGINS, https: values.PUBLIC_URL.startsWith('https:') },
    bodyLimit,
    pages: pages({ openApi, health }),
    draining: context.signal,
    log: context.log,
    metrics: context.metrics,
  });
};

const publishFigures = async (
  { config: { METRICS_PORT }, context, closing }: Opened,
  health: () => Promise<Health>,
) => {
  if (METRICS_PORT === undefined) return;
  const app = operationalApp({ ...context, health });
  const listener = await listen(app, { host: '127.0.0.1', port: METRICS_PORT });
  closing.add('figures', listener.close);
};

const start = async (values: Config, context: ServiceContext): Promise<Running> => {
  const closing = closers(context.log);
  const opened = { config: values, context, closing };
  const parts = openParts(opened);
  keepFresh(parts, closing);
  watchStaleness(parts.epochs, context.metrics, closing);
  await publishFigures(opened, parts.health);
  await firstAnswers(parts.keys, parts.epochs);
  await parts.scopes.refresh();
  const place = { host: values.HOST, port: values.PORT, headersBytes: 16_384 };
  const listener = await listen(handlerOf(opened, parts), place);
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
