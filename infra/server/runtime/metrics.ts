/** Prometheus metrics of one service, with Node's process metrics. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../../ports/runtime/metrics';
import { neverMilliseconds, replaceLagMetrics } from './event-loop-lag';
import { createMetricSampler, type MetricSampler } from './metric-history/sample-metrics';
import { version } from './version';

export interface MetricsRegistry extends Metrics, MetricSampler {
  readonly contentType: string;
  /** The text that `/metrics` answers with. */
  readonly text: () => Promise<string>;
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const openMetrics = (service: string): MetricsRegistry => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: neverMilliseconds });
  replaceLagMetrics(registry);
  const registers = [registry];
  const info = new Gauge({ name: 'septet_build_info', help: 'Always 1.', labelNames: ['version', 'node'], registers });
  info.set({ version, node: process.versions.node }, 1);
  const once = <Metric>(name: string, make: () => Metric): Metric =>
    (registry.getSingleMetric(name) as Metric | undefined) ?? make();
  return {
    counter: ({ name, help, labels = [] }) => {
      const counter = once(name, () => new Counter({ name, help, labelNames: labels, registers }));
      return (values = {}, by = 1) => counter.inc(values, by);
    },
    gauge: ({ name, help, labels = [] }) => {
      const gauge = once(name, () => new Gauge({ name, help, labelNames: labels, registers }));
      return (value, values = {}) => gauge.set(values, value);
    },
    histogram: ({ name, help, labels = [], buckets: own = buckets }) => {
      const spec = { name, help, labelNames: labels, buckets: [...own], registers };
      const histogram = once(name, () => new Histogram(spec));
      return (value, values = {}) => histogram.observe(values, value);
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
    ...createMetricSampler(registry),
  };
};
