/** A log that records its lines, and metrics that record nothing. */
import type { Log } from '../../../infra/ports/runtime/log';
import type { Metrics } from '../../../infra/ports/runtime/metrics';

export const noopMetrics: Metrics = {
  counter: () => () => undefined,
  gauge: () => () => undefined,
  histogram: () => () => undefined,
};

export interface RecordedLog extends Log {
  readonly lines: { readonly level: string; readonly fields: Record<string, unknown>; readonly message: string }[];
}

export const recordingLog = (): RecordedLog => {
  const lines: RecordedLog['lines'] = [];
  const at = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void lines.push({ level, fields, message });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), audit: at('audit') };
};
