/** Opens a tracer if the environment names a collector; otherwise the SDK is not loaded. */
import { collectorOf, type TraceConfig } from './config';
import type { OtlpOptions } from './otlp-tracer';

export const openTracer = (options: Omit<OtlpOptions, 'url'> & { readonly config: TraceConfig }) => {
  const url = collectorOf(options.config);
  if (url === undefined) return undefined;
  const { openOtlp } = require('./otlp-tracer') as typeof import('./otlp-tracer');
  return openOtlp({ ...options, url });
};
