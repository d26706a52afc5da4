/** Clients that come back after what they saw last, whatever ends their stream, until they have seen enough. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readServerSentEvents } from '../../identity/read-api/server-sent-events';
import { openSocketClient } from './socket-client';

export interface Followed {
  /** Positions in the order they came. */
  readonly seen: string[];
  /** How often it had to come back. */
  readonly returns: () => number;
  readonly done: Promise<void>;
}

export interface Following {
  readonly port: number;
  readonly headers: () => Record<string, string>;
  readonly enough: () => boolean;
}

interface Memory {
  readonly seen: string[];
  after: string | undefined;
}

const pause = 50;

const socketOnce = async ({ port, headers, enough }: Following, memory: Memory, begun: () => void): Promise<void> => {
  const { sendJson, next, socket } = await openSocketClient(`ws://127.0.0.1:${port}/v1/streams`, {
    headers: headers(),
  });
  const after = memory.after === undefined ? {} : { after: memory.after };
  sendJson({ type: 'subscribe', id: 's', stream: 'security-events', ...after });
  try {
    while (!enough()) {
      const { type, id, data } = await next();
      if (type === 'refused' || type === 'unsubscribed') return;
      memory.after = id ?? memory.after;
      if (type === 'ready') begun();
      if (type === 'event') memory.seen.push(String(data?.position));
    }
  } finally {
    socket.terminate();
  }
};

const eventsOnce = async ({ port, headers, enough }: Following, memory: Memory, begun: () => void): Promise<void> => {
  const after: Record<string, string> = memory.after === undefined ? {} : { 'last-event-id': memory.after };
  const leaving = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/v1/security/events/stream`, {
    headers: { ...headers(), ...after },
    signal: leaving.signal,
  });
  if (response.status !== 200) return void (await response.body?.cancel());
  const next = readServerSentEvents(response);
  try {
    while (!enough()) {
      const received = await next();
      if (received === undefined || received.event === 'end') return;
      memory.after = received.id ?? memory.after;
      if (received.event === 'ready') begun();
      else if (received.event !== 'checkpoint')
        memory.seen.push(String((JSON.parse(received.data ?? '{}') as { position: string }).position));
    }
  } finally {
    leaving.abort();
  }
};

const ways = { sse: eventsOnce, websocket: socketOnce } as const;

/** Resolves when it follows. */
export const startFollower = async (
  way: keyof typeof ways,
  following: Omit<Following, 'enough'>,
  until: (seen: readonly string[]) => boolean,
): Promise<Followed> => {
  const memory: Memory = { seen: [], after: undefined };
  let begun: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let turns = 0;
  const enough = (): boolean => until(memory.seen);
  const run = async (): Promise<void> => {
    while (!enough()) {
      turns += 1;
      // What ends a stream is what these tests do to it.
      await ways[way]({ ...following, enough }, memory, begun).catch(() => undefined);
      await sleep(pause);
    }
  };
  const done = run();
  await ready;
  return { seen: memory.seen, returns: () => turns - 1, done };
};
