/** OpenTelemetry's own variables, as far as they decide whether and where traces go; its SDK reads the finer ones itself. */
import { anyText, type ConfigOf, optional, variables, withDefault } from '../runtime/config';

export const traceVariables = {
  OTEL_SDK_DISABLED: withDefault(anyText, 'false'),
  OTEL_TRACES_EXPORTER: withDefault(anyText, 'otlp'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(variables.PUBLIC_URL),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(variables.PUBLIC_URL),
  OTEL_EXPORTER_OTLP_HEADERS: optional(anyText),
  OTEL_SERVICE_NAME: optional(anyText),
};
export type TraceConfig = ConfigOf<typeof traceVariables>;

/** Undefined: nothing is traced. */
export const collectorOf = (config: TraceConfig): string | undefined => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = config;
  if (config.OTEL_SDK_DISABLED.toLowerCase() === 'true' || config.OTEL_TRACES_EXPORTER !== 'otlp') return undefined;
  return own ?? (all === undefined ? undefined : `${all.replace(/\/+$/, '')}/v1/traces`);
};

const plain = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** `name=value,…`, percent-encoded as baggage is. */
export const headersOf = ({ OTEL_EXPORTER_OTLP_HEADERS: text = '' }: TraceConfig): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [name = '', ...value] = pair.split('=');
      return name.trim() === '' || value.length === 0 ? [] : [[plain(name.trim()), plain(value.join('=').trim())]];
    }),
  );
