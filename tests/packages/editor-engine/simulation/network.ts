/** Lines between engines and an owner: each way in order, after a while, and cut with everything that was on its way. */
import type { ClientMessage } from '../../../../domain/editor/protocol/client-messages';
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import type {
  Transport,
  TransportConnection,
  TransportListener,
} from '../../../../packages/editor-engine/src/ports/transport';
import type { Time } from './controlled-time';
import type { ClientSession, Owner } from './owner';
import { receiveMessage } from './receive-message';

export interface Network {
  readonly transport: (userId: string) => Transport;
  /** Breaks lines: of everybody, or of one. */
  readonly cut: (userId?: string) => void;
  /** No client gets through while it is false. */
  isUp: boolean;
  /** The only client that gets through. */
  onlyFor: string | undefined;
  /** Milliseconds that something is on its way. */
  delay: () => number;
  readonly sent: ClientMessage[];
}

interface Wire {
  readonly userId: string;
  readonly cut: () => void;
}

/** Runs tasks in their order, however long each takes. */
const lane = (time: Time, network: Network) => {
  let last = 0;
  return (run: () => void): void => {
    last = Math.max(last, time.now() + network.delay());
    time.schedule(last - time.now(), run);
  };
};

export const openNetwork = (owner: Owner, time: Time): Network => {
  const wires = new Set<Wire>();
  let connections = 0;
  const connect = (userId: string, listener: TransportListener): TransportConnection => {
    connections += 1;
    let isOpen = network.isUp && (network.onlyFor ?? userId) === userId;
    const [up, down] = [lane(time, network), lane(time, network)];
    const send = (message: ServerMessage): void => {
      const text = JSON.stringify(message);
      down(() => (isOpen ? listener.onMessage(text) : undefined));
    };
    const session: ClientSession = { userId, connectionId: `n${connections}`, send, clientId: undefined, expected: 1 };
    const leave = (): void => {
      isOpen = false;
      owner.sessions.delete(session);
      wires.delete(wire);
    };
    const wire: Wire = {
      userId,
      cut: () => {
        if (!isOpen) return;
        leave();
        listener.onClose({ code: 1006, reason: '' });
      },
    };
    wires.add(wire);
    down(() => (isOpen ? listener.onOpen() : listener.onClose({ code: 0, reason: 'unreachable' })));
    return {
      send: (text) => {
        const message = JSON.parse(text) as ClientMessage;
        network.sent.push(message);
        up(() => (isOpen ? receiveMessage(owner, session, message) : undefined));
      },
      close: leave,
    };
  };
  const network: Network = {
    transport: (userId) => ({
      open: (_, listener) => connect(userId, listener),
      fetch: () => Promise.reject(new Error('Everything was told.')),
    }),
    cut: (userId) => {
      for (const wire of [...wires]) if (userId === undefined || wire.userId === userId) wire.cut();
    },
    isUp: true,
    onlyFor: undefined,
    delay: () => 10,
    sent: [],
  };
  return network;
};
