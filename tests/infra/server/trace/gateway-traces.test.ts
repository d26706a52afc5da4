import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { upstreamHeaders } from '../../../../infra/gateway/proxy/headers';
import { listen } from '../../../../infra/server/http/server/listener';
import { tracePublicListener } from '../../../../infra/server/http/server/request-tracing';
import { readTraceparent } from '../../../../infra/server/trace/traceparent';
import { eventually } from '../../../support/waiting/eventually';
import { recordedTracer } from './recorded-tracer';

const traceId = 'a'.repeat(32);
const given = `00-${traceId}-${'b'.repeat(16)}-01`;

const callThrough = async (recorded: ReturnType<typeof recordedTracer>, trusted: boolean, path: string) => {
  let inside: string | undefined;
  const listener = tracePublicListener(recorded.trace, trusted, (_request, response) => {
    inside = recorded.trace.current()?.traceparent;
    response.setHeader('X-Request-Id', 'r-1');
    response.writeHead(path === '/broken' ? 503 : 200).end();
  });
  const { port, close } = await listen(listener, { host: '127.0.0.1', port: 0 });
  await fetch(`http://127.0.0.1:${port}${path}`, { headers: { traceparent: given } });
  await close();
  return inside;
};

describe('traces at the gateway', () => {
  it('start fresh for external callers, with a link to theirs', async () => {
    const recorded = recordedTracer();
    const inside = await callThrough(recorded, false, '/v1/things');
    assert.notEqual(readTraceparent(inside)?.traceId, traceId);
    await eventually(async () => assert.equal(recorded.spans().length, 1));
    const [span] = recorded.spans();
    assert.ok(span !== undefined);
    assert.equal(span.links[0]?.context.traceId, traceId);
    assert.equal(span.attributes.requestId, 'r-1');
  });

  it('are not recorded because a stranger says so', async () => {
    const recorded = recordedTracer({ sampled: false });
    assert.match((await callThrough(recorded, false, '/v1/things')) ?? '', /-00$/);
    assert.equal(recorded.spans().length, 0);
  });

  it('go on where who stands in front is trusted', async () => {
    const recorded = recordedTracer({ sampled: false });
    assert.equal(readTraceparent(await callThrough(recorded, true, '/broken'))?.traceId, traceId);
    await eventually(async () => assert.equal(recorded.spans()[0]?.attributes['error.type'], '503'));
  });

  it('leave out what is asked every few seconds', async () => {
    const recorded = recordedTracer();
    assert.equal(await callThrough(recorded, true, '/healthz'), undefined);
    assert.equal(recorded.spans().length, 0);
  });

  it('pass on nothing that a caller wrote', () => {
    const headers = { traceparent: given, tracestate: 'a=1', baggage: 'password=hunter2', accept: 'text/html' };
    const request = { headers, socket: {} } as unknown as IncomingMessage;
    const forwarding = { requestId: 'r-1', identityHeader: 'v1', protocol: 'http', dropAuthorization: true } as const;
    assert.deepEqual(
      Object.keys(upstreamHeaders(request, forwarding)).filter((name) => /^(trace|baggage)/.test(name)),
      [],
    );
    const ours = given.replace(/a/g, 'c');
    assert.equal(upstreamHeaders(request, { ...forwarding, traceparent: ours }).traceparent, ours);
  });
});
