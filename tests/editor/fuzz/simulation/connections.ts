/** Connections between engines and copies of the editor: ordered, delayed, and closed on one side before the other notices. */
import assert from 'node:assert/strict';
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import type { StreamEnd } from '../../../../infra/server/http/streaming/stream-end';
import type { Message, Socket } from '../../../../infra/server/ws/socket';
import type { TransportConnection, TransportListener } from '../../../../packages/editor-engine/src/ports/transport';
import { assertCommitted, note } from './acknowledgements';
import type { Process } from './editor-process';
import { place, type World } from './world';

export interface Person {
  readonly userId: string;
  /** Schema version that the engine announces; by default the present one. */
  readonly schema?: number;
  /** Milliseconds that something is on its way at most. */
  readonly distance: number;
}

export interface Cable extends TransportConnection {
  readonly userId: string;
  readonly cut: () => void;
}

const mostOnItsWay = 12_000;

/** Runs calls in the order in which they came, however long each takes. */
const lane = ({ time, below }: World, distance: number) => {
  let last = 0;
  return (run: () => void): void => {
    last = Math.max(last, time.now() + below(distance));
    time.schedule(last - time.now(), run);
  };
};

interface Ways {
  readonly up: (run: () => void) => void;
  readonly down: (run: () => void) => void;
  /** The client's end of the socket. */
  readonly listener: TransportListener;
  isListening: boolean;
}

const socketOf = (world: World, ways: Ways): { socket: Socket; close: () => void } => {
  const closing = new AbortController();
  const waiting: (() => void)[] = [];
  let onItsWay = 0;
  const arrived = (length: number): void => {
    onItsWay -= length;
    if (onItsWay === 0 || closing.signal.aborted) for (const resolve of waiting.splice(0)) resolve();
  };
  const close = (): void => {
    closing.abort();
    for (const resolve of waiting.splice(0)) resolve();
  };
  const socket: Socket = {
    send: (bytes) => {
      if (closing.signal.aborted) return false;
      const text = bytes.toString();
      const message = JSON.parse(text) as ServerMessage;
      assertCommitted(world, message);
      note(world, message, false);
      onItsWay += text.length;
      ways.down(() => {
        arrived(text.length);
        if (!ways.isListening) return;
        note(world, message, true);
        ways.listener.onMessage(text);
      });
      return onItsWay < mostOnItsWay;
    },
    ready: () =>
      onItsWay < mostOnItsWay || closing.signal.aborted
        ? Promise.resolve()
        : new Promise((resolve) => void waiting.push(resolve)),
    end: ({ closeCode, code }: StreamEnd) => {
      if (closing.signal.aborted) return;
      ways.down(() => hangUp(ways, closeCode, code));
      close();
    },
    closed: closing.signal,
  };
  return { socket, close };
};

const hangUp = (ways: Ways, code: number, reason: string): void => {
  if (!ways.isListening) return;
  ways.isListening = false;
  ways.listener.onClose({ code, reason });
};

const admitted = ({ route }: Process, { userId }: Person, socket: Socket): Message => {
  const { tenant: tenantId, documentId } = place;
  const scopes = ['documents:read', 'documents:write'];
  const identity = { tenantId, principalId: userId, principalType: 'user', scopes, tokenId: 't-1' };
  const admission = route.admit({ identity, requestId: 'r-1', query: '', parameters: { documentId } });
  assert.ok(typeof admission === 'function');
  return admission(socket);
};

const asOld = (text: string, schema: number | undefined): string => {
  const message = JSON.parse(text) as { type: string };
  return schema !== undefined && message.type === 'join'
    ? JSON.stringify({ ...message, capabilities: [`schema:${schema}`] })
    : text;
};

/** `undefined`: no process accepts connections. */
export const connect = (
  world: World,
  [process, person]: readonly [Process | undefined, Person],
  listener: TransportListener,
): Cable => {
  const ways: Ways = {
    up: lane(world, person.distance),
    down: lane(world, person.distance),
    listener,
    isListening: true,
  };
  const { socket, close } = socketOf(world, ways);
  const receive = process === undefined ? undefined : admitted(process, person, socket);
  const die = (): void => {
    close();
    ways.down(() => hangUp(ways, 1006, ''));
  };
  process?.ends.add(die);
  socket.closed.addEventListener('abort', () => process?.ends.delete(die));
  ways.down(() => (receive === undefined ? hangUp(ways, 0, 'unreachable') : ways.isListening && listener.onOpen()));
  return {
    userId: person.userId,
    send: (text) => {
      const sent = asOld(text, person.schema);
      const deliver = (): void => (socket.closed.aborted ? undefined : receive?.(JSON.parse(sent), sent.length));
      // What was sent before a cut may arrive when the same has come another way.
      ways.up(() => (ways.isListening ? deliver() : void world.time.schedule(world.below(1_500), deliver)));
    },
    close: () => {
      if (ways.isListening) ways.up(close);
      ways.isListening = false;
    },
    cut: () => {
      hangUp(ways, 1006, '');
      world.time.schedule(world.below(2_500), close);
    },
  };
};
