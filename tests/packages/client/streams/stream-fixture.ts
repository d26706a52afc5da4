/** Streams of server-sent events as a server writes them, and what is taken of them. */
import type { StreamEvent } from '../../../../packages/client/src/index';

export const happened = {
  eventId: 'e',
  position: '1',
  timestamp: '2026-01-31T12:00:00.000Z',
  type: 'PrincipalRegistered',
  principalId: 'p-1',
  principalType: null,
  clientId: null,
  actor: 'p-0',
  severity: null,
  jti: null,
  result: null,
  summary: 'It happened.',
  details: {},
};

export const frame = (id: string, event: string, data: unknown): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
export const ready = (id: string): string => frame(id, 'ready', { position: id });
export const registeredEvent = (id: string): string => frame(id, 'PrincipalRegistered', { ...happened, eventId: id });
export const end = (code: string): string => `event: end\ndata: {"code":"${code}","detail":"It ends."}\n\n`;

export const sse = (...frames: readonly string[]): Response =>
  new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });

/** One that stays open. */
export const open = (...frames: readonly string[]) => {
  const seen = { cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(frames.join(''))),
    cancel: () => {
      seen.cancelled = true;
    },
  });
  return { seen, response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }) };
};

export const take = async (events: AsyncIterable<StreamEvent<unknown>>, count: number): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const { id } of events) if (ids.push(id) === count) break;
  return ids;
};

export const resumedAt = ({ headers }: { readonly headers: Headers }) => headers.get('last-event-id');
