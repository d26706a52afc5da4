/** Endpoints for operators and supervisors, without an identity: liveness, readiness, health and metrics. */
import type { IncomingMessage, RequestListener } from 'node:http';
import express, { type RequestHandler, Router } from 'express';
import type { Health, PartHealth } from '../../../ports/runtime/health';
import type { MetricsRegistry } from '../../runtime/metrics';
import { version } from '../../runtime/version';
import { withinMilliseconds } from '../../runtime/within-milliseconds';
import { sendAnswer } from '../routing/send-answer';

export interface Operational {
  readonly name: string;
  readonly metrics: MetricsRegistry;
  readonly health: () => Promise<Health>;
  readonly signal: AbortSignal;
  /** Aborted when the process is about to drain; without it, when it drains. */
  readonly leaving?: AbortSignal | undefined;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Methods with their own metric label. Node's parser accepts about forty; the others share one label. */
export const methodOf = ({ method = '' }: IncomingMessage): string => (methods.has(method) ? method : 'other');

export const observeRequests = (metrics: MetricsRegistry): RequestHandler => {
  const observe = metrics.histogram({
    name: 'http_server_request_seconds',
    help: 'Time until an answer was complete.',
    labels: ['method', 'route', 'status'],
  });
  const gauge = metrics.gauge({ name: 'http_server_requests_under_way', help: 'Requests in progress.' });
  let underWay = 0;
  gauge(underWay);
  return (request, response, next) => {
    const began = performance.now();
    underWay += 1;
    gauge(underWay);
    response.once('close', () => {
      underWay -= 1;
      gauge(underWay);
      const route = (response.locals.route as string | undefined) ?? 'none';
      const status = response.writableFinished ? String(response.statusCode) : 'aborted';
      observe((performance.now() - began) / 1000, { method: methodOf(request), route, status });
    });
    next();
  };
};

/** Without `Connection: close` a client would use the connection until it is closed. */
export const withoutReturn =
  ({ leaving }: Pick<Operational, 'leaving'>): RequestHandler =>
  (_request, response, next) => {
    if (leaving?.aborted === true) response.setHeader('Connection', 'close');
    next();
  };

/**
 * `/livez` checks no dependency: a restart does not help a process that waits for a store. `/healthz` always answers 200, with the
 * reasons; `/readyz` answers 503 when the process is not ready.
 */
export const operational = ({ name, metrics, health, signal, leaving = signal }: Operational): Router => {
  const router = Router();
  const report =
    (ifNotReady: number, healthReport: () => Promise<Report>): RequestHandler =>
    async (_request, response) => {
      const { ready, ...rest } = await healthReport();
      const takesWork = ready && !leaving.aborted;
      const status = takesWork ? 200 : ifNotReady;
      const body = {
        service: name,
        status: takesWork ? 'ready' : leaving.aborted ? 'draining' : 'not-ready',
        ...rest,
        recent: metrics.recent(),
      };
      await sendAnswer(response, { status, body }, { signal });
    };
  router.get('/livez', (_request, response) =>
    sendAnswer(response, { status: 200, body: { service: name, status: 'alive', version } }, { signal }),
  );
  router.get('/healthz', report(200, reportOf(lastKnown(health))));
  router.get('/readyz', report(503, reportOf(health)));
  router.get('/metrics', async (_request, response) => {
    const text = await metrics.text();
    response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
  });
  return router;
};

/** Own app of the operational endpoints, for a process with a public listener. */
export const operationalApp = (options: Operational): RequestListener =>
  express().disable('x-powered-by').use(operational(options));

/** A part may wait for a store longer than a supervisor waits for the answer. */
const defaultMilliseconds = 5_000;

const timedOut: Health = {
  ready: false,
  parts: { health: { ok: false, detail: 'The check timed out: something does not answer.' } },
};

const within = async (health: () => Promise<Health>, milliseconds: number): Promise<Health> =>
  (await withinMilliseconds(health(), milliseconds)) ?? timedOut;

/** Below the time that the gateway has for all processes. */
const lateMilliseconds = 800;

const stillChecked = { ok: false, detail: 'The check takes long: a store that this process needs does not answer.' };

/** Answers in time: while the check waits for a store, what it found last. */
const lastKnown = (health: () => Promise<Health>): (() => Promise<Health>) => {
  let last: Health | undefined;
  let checking: Promise<Health> | undefined;
  return async () => {
    checking ??= health().finally(() => {
      checking = undefined;
    });
    const found = await withinMilliseconds(checking, last === undefined ? defaultMilliseconds : lateMilliseconds);
    if (found !== undefined) last = found;
    else if (last !== undefined) return { ...last, parts: { ...last.parts, health: stillChecked } };
    return found ?? timedOut;
  };
};

export interface Report extends Health {
  readonly version: string;
  readonly uptimeSeconds: number;
}

/** `since` is the first check that failed; its precision is the interval of the checks. */
export const reportOf = (
  health: () => Promise<Health>,
  milliseconds = defaultMilliseconds,
): (() => Promise<Report>) => {
  const broken = new Map<string, string>();
  const dated = (name: string, part: PartHealth): PartHealth => {
    if (part.ok) broken.delete(name);
    else broken.set(name, broken.get(name) ?? new Date().toISOString());
    const since = broken.get(name);
    return since === undefined ? part : { ...part, since };
  };
  return async () => {
    const { ready, parts } = await within(health, milliseconds);
    const checked = Object.entries(parts).map(([name, part]) => [name, dated(name, part)] as const);
    return { ready, parts: Object.fromEntries(checked), version, uptimeSeconds: Math.floor(process.uptime()) };
  };
};
