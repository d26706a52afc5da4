/** The gateway as a process. */
import { createSecretKey } from 'node:crypto';
import { blobProblems } from '../blobs/local-routes-problem';
import { type EpochCache, epochCache, followEpochs } from '../epochs/epochs';
import { epochsView, feedEpochs } from '../epochs/feed-epochs';
import { logEpochs } from '../epochs/log-epochs';
import { openEventStore } from '../eventstore/client';
import { listen } from '../http/listener';
import { tracedDoor } from '../http/traced';
import type { Kept } from '../ports/kept';
import type { Once } from '../ports/once';
import { redisFeed } from '../redis/feed';
import { openRedisKept } from '../redis/kept';
import { openRedisOnce } from '../redis/once';
import { type Running, runProcess, type ServiceContext, service } from '../service';
import { closers } from '../shutdown';
import { observedStore } from '../trace/observed-store';
import { type Config, config } from './config';
import { openConsole } from './console';
import { documentation, merge } from './documentation';
import { firstAnswers, keepFresh, watchStaleness } from './freshness';
import { gateway } from './gateway';
import { gatewayHealth } from './health';
import { healthDoorOf } from './health-door';
import { keyring } from './keyring';
import { memoryOnce } from './once';
import type { Opened } from './opened';
import { ownOrigins } from './origins';
import { publishFigures } from './own-figures';
import { pages } from './pages';
import { platformHealthDocument } from './platform-health';
import { ownProblems } from './problems';
import { isBlobTarget } from './routes';
import { requiredScopes } from './scopes';
import { sessionDocument } from './session-codecs';
import { memoryKept } from './session-kept';
import { sessionProblems } from './session-problems';
import { openStreams } from './streams';
import { upgrades } from './upgrade';
import { askJson } from './upstream';
import { openUpstreams } from './upstreams';
import { verifiedTokens } from './verified';

/** Redis tells first; the log proves that nothing was missed. Either is enough, both are followed where both are given. */
const openEpochs = ({ config: { EVENTSTORE_URL, REDIS_URL }, context, closing }: Opened): EpochCache => {
  const cache = epochCache();
  if (EVENTSTORE_URL !== undefined) {
    const store = observedStore(openEventStore({ url: EVENTSTORE_URL, log: context.log }), context);
    closing.add('event store', store.close);
    void followEpochs(cache, logEpochs(store), context);
  }
  if (REDIS_URL !== undefined) void followEpochs(cache, feedEpochs(redisFeed(REDIS_URL, epochsView)), context);
  return cache;
};

const openParts = (opened: Opened) => {
  const { config: values, context } = opened;
  const internalKey = createSecretKey(Buffer.from(values.INTERNAL_KEY));
  const { all: behind, open, named: upstreams } = openUpstreams(opened);
  const epochs = openEpochs(opened);
  const keys = keyring({
    fetch: () => askJson(upstreams.commands, internalKey, '/oauth/jwks'),
    log: context.log,
    now: () => performance.now(),
  });
  const health = gatewayHealth({ keys, epochs, upstreams: open, leaving: context.leaving });
  const own = merge([sessionDocument(), platformHealthDocument()]);
  const openApi = documentation({ upstreams: behind, internalKey, publicUrl: values.PUBLIC_URL, own });
  return { internalKey, upstreams, epochs, keys, health, openApi, scopes: requiredScopes(openApi) };
};

/** Tickets are for one socket, whichever gateway it is opened through: where there is Redis, all of them ask it. */
const openShown = ({ config: { REDIS_URL }, closing }: Opened): Once => {
  const shown = REDIS_URL === undefined ? memoryOnce() : openRedisOnce(REDIS_URL, 'stream-ticket');
  closing.add('shown tickets', shown.close);
  return shown;
};

/** Sessions of browsers, whichever gateway they come through. */
const openKept = ({ config: { REDIS_URL }, closing }: Opened): Kept => {
  const kept = REDIS_URL === undefined ? memoryKept() : openRedisKept(REDIS_URL, 'console-session');
  closing.add('sessions', kept.close);
  return kept;
};

const optionsOf = (opened: Opened, parts: ReturnType<typeof openParts>) => {
  const { config: values, context, closing } = opened;
  const { keys, epochs, health, openApi } = parts;
  const { ISSUER: issuer, AUDIENCE: audience, BODY_LIMIT: bodyLimit, ALLOWED_ORIGINS: allowedOrigins } = values;
  const { log, metrics, signal: draining } = context;
  const streams = openStreams({ epochs, metrics, draining });
  closing.add('streams', async () => streams.close());
  // Single tokens cannot be revoked yet: no feed names one.
  const denied = () => false;
  const authentication = { keys, epochs, verified: verifiedTokens(), denied, issuer, audience, now: Date.now };
  return {
    ...parts,
    authentication,
    console: openConsole({ ...parts, authentication, kept: openKept(opened), publicUrl: values.PUBLIC_URL, log }),
    shield: { allowedOrigins, https: values.PUBLIC_URL.startsWith('https:') },
    origins: [...ownOrigins(values.PUBLIC_URL), ...allowedOrigins],
    bodyLimit,
    pages: pages({ openApi, health, problems: { ...blobProblems, ...sessionProblems, ...ownProblems } }),
    platformHealth: healthDoorOf(opened, health),
    shown: openShown(opened),
    streams,
    leaving: context.leaving,
    draining,
    log,
    metrics,
    trace: context.trace,
  };
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
  const place = { host: values.HOST, port: values.PORT, headersBytes: 16_384, unhurried: isBlobTarget };
  const options = optionsOf(opened, parts);
  const door = tracedDoor(context.trace, values.TRUST_TRACEPARENT === 'true', gateway(options));
  const listener = await listen(door, { ...place, upgrade: upgrades(options) });
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
