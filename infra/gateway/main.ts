/** The gateway as a process. */
import { createSecretKey } from 'node:crypto';
import { keyring } from '../../packages/resource-server/src/verification/index';
import { blobProblems } from '../blobs/local-routes-problem';
import { accountCookies } from '../http/account-cookies';
import { openCallerKeys } from '../http/caller-keys';
import { openMacSigner } from '../http/caller-mac';
import { openCallerSigner } from '../http/caller-signer';
import { listen } from '../http/listener';
import { ownOrigins } from '../http/origins';
import { tracedDoor } from '../http/traced';
import type { Kept } from '../ports/kept';
import type { Once } from '../ports/once';
import { openRedisKept } from '../redis/kept';
import { openRedisOnce } from '../redis/once';
import { type Running, runProcess, type ServiceContext, service } from '../service';
import { macKeyVariable, systemServices } from '../services';
import { closers } from '../shutdown';
import { openCallers } from './callers';
import { securedBy } from './certificates';
import { locating } from './client-address';
import { openWayToModels } from './composition/models';
import { openFailureLimit, openRateLimit } from './composition/rate-limit';
import { openUsageCounts } from './composition/rate-limit-usage';
import { openRevocations } from './composition/revocations';
import { type Config, config, macKeyOf } from './config';
import { openConsole } from './console';
import { documentation, merge } from './documentation';
import { firstAnswers, keepFresh, watchStaleness } from './freshness';
import { gateway } from './gateway';
import { gatewayHealth } from './health';
import { healthDoorOf } from './health-door';
import { learntRoutes } from './learnt-routes';
import { loopbackRedirect } from './loopback-names';
import { memoryOnce } from './once';
import { openAuthentication, openExtAuthz } from './open-authentication';
import type { Opened } from './opened';
import { publishFigures } from './own-figures';
import { pages } from './pages';
import { platformHealthDocument } from './platform-health';
import { ownProblems } from './problems';
import { isBlobTarget } from './routes';
import { sessionDocument } from './session-codecs';
import { memoryKept } from './session-kept';
import { sessionProblems } from './session-problems';
import { openStreams } from './streams';
import { upgrades } from './upgrade';
import { askJson } from './upstream';
import { openUpstreams } from './upstreams';

const openParts = (opened: Opened) => {
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
  const keys = keyring({
    fetch: () => askJson(upstreams.commands, signer, '/oauth/jwks'),
    log,
    now: () => performance.now(),
  });
  const revocations = openRevocations(opened, keys);
  const health = gatewayHealth({ keys, revocations, upstreams: open, leaving: context.leaving });
  const own = merge([sessionDocument(), platformHealthDocument()]);
  const openApi = documentation({ upstreams: behind, signer, publicUrl: values.PUBLIC_URL, own });
  const signing = { signer, macSigners, callerKeys, sessionKey };
  return { ...signing, upstreams, revocations, keys, health, openApi, routes: learntRoutes(openApi, own.paths) };
};

/** Tickets are for one socket, whichever gateway it is opened through: where there is Redis, all of them ask it. */
const openShown = ({ config: { REDIS_URL }, closing }: Opened): Once => {
  const shown = REDIS_URL === undefined ? memoryOnce() : openRedisOnce(REDIS_URL, 'stream-ticket');
  closing.add('shown tickets', shown.close);
  return shown;
};

/** Proofs of possession are for one request, whichever gateway it goes through. */
const openProofs = ({ config: { REDIS_URL }, closing }: Opened): Once | undefined => {
  if (REDIS_URL === undefined) return undefined;
  const shown = openRedisOnce(REDIS_URL, 'dpop');
  closing.add('shown proofs', shown.close);
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
  const { revocations, health, openApi } = parts;
  const { BODY_LIMIT: bodyLimit, ALLOWED_ORIGINS: allowedOrigins } = values;
  const { log, metrics, signal: draining } = context;
  const streams = openStreams({ revocations, metrics, draining });
  closing.add('streams', async () => streams.close());
  const authentication = openAuthentication(opened, { ...parts, shown: openProofs(opened) });
  const counts = openUsageCounts(opened, parts.signer);
  const rateLimit = openRateLimit(opened, counts);
  const console = openConsole({ ...parts, authentication, kept: openKept(opened), publicUrl: values.PUBLIC_URL, log });
  const cookies = accountCookies(values.PUBLIC_URL);
  const { kept, certificateOf } = authentication;
  const sessionCookie = console.browsers.cookie;
  const callers = openCallers({ kept, certificateOf, accountCookies: cookies, sessionCookie });
  return {
    ...parts,
    authentication,
    rateLimit,
    callers,
    failures: openFailureLimit(opened, { rateLimit, callers }),
    models: openWayToModels(opened, { ...console, authentication, streams, rateLimit, counts }),
    locate: locating(values.TRUSTED_PROXIES),
    extAuthz: openExtAuthz(opened, authentication, rateLimit),
    console,
    accountCookies: cookies,
    loopbackRedirect: loopbackRedirect(values.PUBLIC_URL),
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
  watchStaleness(parts.revocations, context.metrics, closing);
  await publishFigures(opened, parts.health);
  await firstAnswers(parts.keys, parts.revocations);
  await parts.routes.refresh();
  const place = {
    host: values.HOST,
    port: values.PORT,
    headersBytes: 16_384,
    unhurried: isBlobTarget,
    tls: securedBy(values),
  };
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
