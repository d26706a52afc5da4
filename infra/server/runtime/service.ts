/** How every main starts, alone as a process or beside others in one. */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import type { Health } from '../../ports/runtime/health';
import type { Log } from '../../ports/runtime/log';
import type { Tracer } from '../../ports/runtime/trace';
import { traceVariables } from '../trace/config';
import { openTracer } from '../trace/open-tracer';
import { startMetricRecorder } from './composition/metric-recorder';
import { addressFaults } from './composition/store-addresses';
import {
  type ConfigFault,
  type ConfigOf,
  type Environment,
  loadConfig,
  optional,
  variables,
  wholeNumber,
  withDefault,
} from './config';
import { launcherVariables } from './launcher-channel';
import { openLog } from './log';
import { type MetricsRegistry, openMetrics } from './metrics';
import { drainOnSignals } from './shutdown';
import { version } from './version';

export interface ServiceContext {
  readonly name: string;
  readonly log: Log;
  readonly metrics: MetricsRegistry;
  /** Undefined while nothing is traced. */
  readonly trace: Tracer | undefined;
  /** Aborted when the process is about to drain: it reports not ready, and still serves requests that arrive. */
  readonly leaving: AbortSignal;
  /** Aborted when draining begins: streams and waits end, requests under way are finished. */
  readonly signal: AbortSignal;
  readonly env: Environment;
}

export interface Running {
  readonly port?: number;
  readonly ready: () => Promise<Health>;
  readonly close: () => Promise<void>;
}

export interface ServiceSpec<Props extends t.Props> {
  readonly name: string;
  /** Environment variables by name; LOG_LEVEL is there for all. */
  readonly config: Props;
  /** Resolves when the service takes work. */
  readonly start: (config: ConfigOf<Props>, context: ServiceContext) => Promise<Running>;
}

export interface Service {
  readonly name: string;
  /** Every environment variable that it reads, with what it may hold. */
  readonly variables: t.Props;
  /** Left: the configuration's faults; nothing was opened. */
  readonly start: (env: Environment) => Promise<Either<readonly ConfigFault[], Running>>;
}

const common = {
  ...traceVariables,
  LOG_LEVEL: variables.LOG_LEVEL,
  /** For the history of metrics; services declare their other uses of Redis themselves. */
  REDIS_URL: optional(variables.REDIS_URL),
  /** Drain notice: longer than the interval in which load balancers check readiness. */
  DRAIN_NOTICE_MILLISECONDS: withDefault(wholeNumber(0, 3_000), 0),
};
type Common = ConfigOf<typeof common>;

/** Log lines of what is traced name their trace. */
const openContext = (name: string, config: Common, env: Environment) => {
  const [leaving, draining] = [new AbortController(), new AbortController()];
  // Every request and stream under way listens for it.
  setMaxListeners(0, draining.signal);
  const metrics = openMetrics(name);
  const about = () => trace?.current();
  const log = openLog({ service: name, level: config.LOG_LEVEL, about });
  const trace = openTracer({ name, version, config, log, metrics });
  const signals = { leaving: leaving.signal, signal: draining.signal };
  const notice = config.DRAIN_NOTICE_MILLISECONDS;
  const drain = async (): Promise<void> => {
    leaving.abort();
    if (notice > 0) await sleep(notice);
    draining.abort();
  };
  return { drain, trace, context: { name, log, metrics, trace, ...signals, env } };
};

export const service = <Props extends t.Props>({ name, config, start }: ServiceSpec<Props>): Service => ({
  name,
  variables: { ...common, ...config },
  start: async (env) => {
    const loaded = loadConfig({ ...common, ...config }, env);
    if (isLeft(loaded)) return loaded;
    const values = loaded.right as ConfigOf<Props> & Common;
    const faults = await addressFaults(values);
    if (faults.length > 0) return left(faults);
    const { drain, trace, context } = openContext(name, values, env);
    const running = await start(values, context);
    const recorder = startMetricRecorder(values.REDIS_URL, context);
    return right({
      ...running,
      close: async () => {
        await drain();
        await running.close();
        await recorder.close();
        await trace?.close();
      },
    });
  },
});

/** sysexits.h's EX_CONFIG: starting again will not help. */
export const configurationExit = 78;

const stop = (log: Log, fields: { readonly [field: string]: unknown }, message: string, code = 1): never => {
  log.error(fields, message);
  process.exit(code);
};

/** resolv.conf(5). A process ends no sooner than its lookups, which take ten seconds by default where no name server answers. */
const resolverOptions = 'timeout:1 attempts:2';

/** Runs a service as this whole process: signals, exit codes, and word to the launcher once it is ready. */
export const runProcess = ({ name, start }: Service, env: Environment = process.env): void => {
  const log = openLog({ service: name, level: 'info' });
  process.env.RES_OPTIONS ??= resolverOptions;
  process.on('uncaughtException', (error) => stop(log, { error }, 'defect: the process ends'));
  process.on('unhandledRejection', (error) => stop(log, { error }, 'defect: the process ends'));
  let running: Running | undefined;
  const close = async (): Promise<boolean> => {
    await running?.close();
    return true;
  };
  drainOnSignals({ log, close });
  const begin = async (): Promise<void> => {
    const started = await start(await launcherVariables(env));
    if (isLeft(started))
      return stop(log, { faults: started.left }, 'the configuration is not usable', configurationExit);
    running = started.right;
    log.info({ port: running.port }, 'ready');
    process.send?.({ kind: 'ready', port: running.port });
  };
  begin().catch((error: unknown) => stop(log, { error }, 'the service could not start'));
};
