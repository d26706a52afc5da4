/** A trace collector: accepts OTLP over HTTP, and returns the received spans. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface OtlpValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly boolValue?: boolean;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes?: readonly OtlpAttribute[];
  readonly links?: readonly { readonly traceId: string }[];
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

export interface SentSpan {
  /** The service that sent it. */
  readonly service: string;
  readonly traceId: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Traces that it names. */
  readonly links: readonly string[];
}

export interface Collector {
  readonly url: string;
  readonly spans: () => readonly SentSpan[];
  /** Everything that came, as it came. */
  readonly text: () => string;
  readonly headers: () => IncomingHttpHeaders | undefined;
  readonly close: () => Promise<void>;
}

const plain = (attributes: readonly OtlpAttribute[] = []): Record<string, string> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue ?? value.boolValue)]),
  );

const spansIn = (text: string): readonly SentSpan[] =>
  (JSON.parse(text) as OtlpRequest).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, attributes, links = [] }) => ({
        service: plain(resource.attributes)['service.name'] ?? '',
        traceId,
        id: spanId,
        parent: parentSpanId === '' ? undefined : parentSpanId,
        name,
        attributes: plain(attributes),
        links: links.map((link) => link.traceId),
      })),
    ),
  );

export const startCollector = async (): Promise<Collector> => {
  const bodies: string[] = [];
  let headers: IncomingHttpHeaders | undefined;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
    if (request.url === '/v1/traces') bodies.push(body);
    headers = request.headers;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => bodies.flatMap(spansIn),
    text: () => bodies.join('\n'),
    headers: () => headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
