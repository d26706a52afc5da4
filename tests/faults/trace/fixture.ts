/**
 * The whole system on the stores of the tests, each behind a proxy, with a collector of traces beside it, and everything that every process
 * writes.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../infra/operate/launch/free-port';
import {
  elasticsearchForTests,
  freshDatabase,
  indexPrefix,
  valkeyForTests,
} from '../../support/servers/shared-servers';
import { openSystem, type System } from '../system/harness/fixture';
import { type Collector, startCollector } from './collector';

export interface WatchedSystem {
  readonly system: System;
  readonly collector: Collector;
  /** What the collector is sent with every request. */
  readonly collectorKey: string;
  /** Of the gateway's own metrics, which are not public. */
  readonly metricsPort: number;
  /** Each log file of the system, by name. */
  readonly logs: () => ReadonlyMap<string, string>;
  readonly close: () => Promise<void>;
}

export const startWatchedSystem = async (): Promise<WatchedSystem> => {
  // First: where there is none, nothing else is started.
  const stores = {
    POSTGRES_URL: await freshDatabase(),
    REDIS_URL: (await valkeyForTests()).url,
    ELASTICSEARCH_URL: (await elasticsearchForTests()).url,
  };
  const collector = await startCollector();
  const collectorKey = randomBytes(24).toString('base64url');
  const metricsPort = (await freePort()) as number;
  const env = {
    ELASTICSEARCH_PREFIX: indexPrefix(),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `api-key=${collectorKey}`,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    TRUST_TRACEPARENT: 'true',
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'debug',
  };
  const system = await openSystem({ name: 'watched', env: () => env, breaks: true, stores });
  const directory = join(system.data, 'logs');
  return {
    system,
    collector,
    collectorKey,
    metricsPort,
    logs: () => new Map(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8')])),
    close: async () => {
      await system.close();
      await collector.close();
    },
  };
};
