/** GET /v1/platform/health: queries every endpoint of every service in parallel, each with a short timeout. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLeft } from 'fp-ts/Either';
import { Agent } from 'undici';
import { decodeStored } from '../../../domain/kernel/codec';
import type { Health } from '../../ports/runtime/health';
import type { MetricSample } from '../../ports/runtime/metric-history';
import { openApi } from '../../server/http/openapi';
import { invalidInput, problem } from '../../server/http/problem';
import { readQuery } from '../../server/http/routing/request-input';
import { bind, describedOnly, type Identity, type JsonAnswer, route } from '../../server/http/routing/route';
import { sendAnswer } from '../../server/http/routing/send-answer';
import { operatorsOf } from '../../server/runtime/config';
import type { ServiceContext } from '../../server/runtime/service';
import type { ShutdownSteps } from '../../server/runtime/shutdown';
import { version } from '../../server/runtime/version';
import { systemServices } from '../../server/services';
import { type Config, urlOf } from '../config';
import { HealthReport, type Item, itemOf, PlatformHealth, unreachableItem, worstStatus } from './platform-health-items';

export interface MonitoredProcess {
  readonly name: string;
  readonly url: string;
}

export interface PlatformHealthOptions {
  /** Every endpoint of every service. */
  readonly watched: readonly MonitoredProcess[];
  /** Health of the gateway itself. */
  readonly own: () => Promise<Health>;
  /** Samples of the gateway's own metrics. */
  readonly recent: () => readonly MetricSample[];
  /** The tenant whose principals see metrics of all. */
  readonly operators: string;
  readonly version: string;
  readonly longestMilliseconds?: number;
}

const path = '/v1/platform/health';
const scopes = ['platform:read'];

const maxResponseBytes = 1_048_576;

/** The timeout also covers a paused process, which accepts connections but does not answer. */
const fetchHealth = async (
  agent: Agent,
  { name, url }: MonitoredProcess,
  longestMilliseconds: number,
): Promise<Item> => {
  const began = performance.now();
  const signal = AbortSignal.timeout(longestMilliseconds);
  try {
    const { body } = await agent.request({ origin: url, method: 'GET', path: '/healthz', signal });
    const report = decodeStored(HealthReport, await body.json());
    if (isLeft(report)) return unreachableItem(name, 'It does not answer with its health.');
    return itemOf(name, report.right, performance.now() - began);
  } catch {
    return unreachableItem(
      name,
      signal.aborted ? `It did not answer within ${longestMilliseconds} ms.` : 'It does not answer.',
    );
  }
};

export interface PlatformHealthHandler {
  /** True for the path of this route. */
  readonly is: (target: string) => boolean;
  readonly answer: (
    request: IncomingMessage,
    response: ServerResponse,
    identity: Identity | undefined,
  ) => Promise<void>;
  readonly close: () => Promise<void>;
}

const createHealthCollector = (options: PlatformHealthOptions) => {
  const { watched, own, recent, operators, version, longestMilliseconds = 1_000 } = options;
  const agent = new Agent({ connect: { timeout: longestMilliseconds }, maxResponseSize: maxResponseBytes });
  const look = async (tenant: string | undefined): Promise<JsonAnswer> => {
    const asking = watched.map((one) => fetchHealth(agent, one, longestMilliseconds));
    const [{ ready, parts }, ...others] = await Promise.all([own(), ...asking]);
    const report = {
      status: ready ? 'ready' : 'not-ready',
      parts,
      version,
      uptimeSeconds: Math.round(process.uptime()),
      recent: recent(),
    };
    const all = [itemOf('gateway', report, 0), ...others];
    const items = tenant === operators ? all : all.map((item) => ({ ...item, recent: [] }));
    return { status: 200, body: { status: worstStatus(items), at: new Date().toISOString(), items } };
  };
  return { look, close: () => agent.destroy() };
};

const health = route<Pick<ReturnType<typeof createHealthCollector>, 'look'>>()({
  method: 'get',
  path,
  operation: 'getPlatformHealth',
  summary: 'Get the health of every process and its dependencies, checked now',
  description: 'Answered by the gateway itself within about a second, even if other processes are down.',
  access: { scopes },
  answers: { 200: { description: 'All processes, healthy or not.', body: PlatformHealth } },
  handle: ({ look }, { identity }) => look(identity.tenantId),
});

export const platformHealthDocument = () => openApi('gateway', [bind(describedOnly, health)]);

const forbidden = () => problem('forbidden', `The token lacks the scope ${scopes.join(' ')}.`);
const neverAborted = new AbortController().signal;

/** Services by name with their endpoints; services without an address are left out. */
export const monitoredProcesses = (services: {
  readonly [name: string]: string | undefined;
}): readonly MonitoredProcess[] =>
  Object.entries(services).flatMap(([name, urls]) =>
    (urls?.split(',') ?? []).map((url, index) => ({ name: index === 0 ? name : `${name}-${index + 1}`, url })),
  );

export const openPlatformHealth = (options: PlatformHealthOptions): PlatformHealthHandler => {
  const { look, close } = createHealthCollector(options);
  return {
    is: (target) => target.split('?')[0] === path,
    answer: async (request, response, identity) => {
      const isGet = request.method === 'GET' || request.method === 'HEAD';
      if (!isGet)
        return sendAnswer(response, problem('method-not-allowed', 'Use GET, HEAD.'), { signal: neverAborted });
      const query = readQuery(health, request.url ?? '');
      const may = scopes.every((scope) => identity?.scopes.includes(scope));
      if (!may) return sendAnswer(response, forbidden(), { signal: neverAborted });
      const answer = isLeft(query) ? invalidInput(query.left) : await look(identity?.tenantId);
      return sendAnswer(response, answer, { signal: neverAborted });
    },
    close,
  };
};

type OperatorConfig = Parameters<typeof operatorsOf>[0];

interface PlatformHealthContext {
  readonly config: Partial<Config> & OperatorConfig;
  readonly context: Pick<ServiceContext, 'metrics'>;
  readonly closing: ShutdownSteps;
}

export const openPlatformHealthHandler = (
  { config, context, closing }: PlatformHealthContext,
  own: () => Promise<Health>,
): PlatformHealthHandler => {
  const watched = monitoredProcesses(Object.fromEntries(systemServices.map(({ name }) => [name, urlOf(config, name)])));
  const { recent } = context.metrics;
  const handler = openPlatformHealth({ watched, own, recent, operators: operatorsOf(config), version });
  closing.add('questions after health', handler.close);
  return handler;
};
