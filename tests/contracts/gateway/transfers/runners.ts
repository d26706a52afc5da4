/** A WebSocket for runners: their proof is a registration token, which the route itself knows. */
import { setTimeout as sleep } from 'node:timers/promises';
import { problem } from '../../../../infra/server/http/problem';
import { type ProofSocketRoute, type SocketHandshake, webSocketEndpoint } from '../../../../infra/server/ws/endpoint';
import { capturedLog } from '../../../support/http/http-service';
import { callerKeys } from '../../../support/http/internal-keys';

export const runnerProtocol = 'septet.runner.v1';

/** The proof of a runner of `r-1`, and one of another. */
export const registrationTokens = { own: 'Runner secret', others: 'Runner of-another' };

const never = new AbortController().signal;

export const createRunnerEndpoint = () => {
  const handshakes: SocketHandshake[] = [];
  const connected = new Set<string>();
  const route: ProofSocketRoute = {
    path: '/runners/:runnerId/socket',
    protocol: runnerProtocol,
    authenticatedBy: 'service',
    admit: async (handshake) => {
      handshakes.push(handshake);
      // A token is looked up.
      await sleep(1);
      const { headers, parameters } = handshake;
      const runnerId = String(parameters.runnerId);
      if (!Object.values(registrationTokens).includes(headers.authorization ?? ''))
        return {
          ...problem('unauthenticated', 'Send a registration token.'),
          headers: { 'WWW-Authenticate': 'Runner' },
        };
      if (headers.authorization === registrationTokens.others)
        return problem('forbidden', 'The registration token is of another runner.');
      if (runnerId === 'defect') throw new Error('hunter2');
      if (connected.has(runnerId)) return problem('conflict', 'This runner is connected.');
      connected.add(runnerId);
      return (socket) => {
        socket.closed.addEventListener('abort', () => connected.delete(runnerId), { once: true });
        return (content) => void socket.send(Buffer.from(JSON.stringify({ type: 'echo', data: content })));
      };
    },
  };
  const upgrade = webSocketEndpoint({ routes: [route], callerKeys, log: capturedLog(), signal: never });
  return { upgrade, last: (): SocketHandshake => handshakes.at(-1) as SocketHandshake, count: () => handshakes.length };
};
