/** `GET /runner/socket`: a runner's WebSocket. It brings jobs, cancels and lost leases, and takes heartbeats. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, integer, record } from '../../../domain/kernel/codec';
import { Heartbeat, runnerProtocol } from '../../../domain/workflow/protocol/runner';
import { streamEnds } from '../../../infra/server/http/streaming/stream-end';
import type { ProofSocketRoute } from '../../../infra/server/ws/endpoint';
import type { WorkflowAdapters } from '../adapters';
import { authenticateRunner } from './authenticate-runner';
import type { Dispatcher } from './dispatcher';

const Ready = record(
  'Ready',
  { type: t.literal('ready'), slots: integer(0, 1_000) },
  /** Left out: every assignment was received. */
  { assignments: integer(0) },
);
const HeartbeatMessage = t.intersection([t.type({ type: t.literal('heartbeat') }), Heartbeat]);

export const runnerSocket = (adapters: WorkflowAdapters, dispatcher: Dispatcher): ProofSocketRoute => ({
  path: '/runner/socket',
  protocol: runnerProtocol,
  authenticatedBy: 'service',
  admit: async ({ headers }) => {
    const runner = await authenticateRunner(adapters, headers.authorization);
    if (isLeft(runner)) return runner.left;
    return (socket) => {
      const connected = dispatcher.connect({
        runner: runner.right,
        send: (message) => void socket.send(Buffer.from(JSON.stringify(message))),
        end: () => socket.end(streamEnds.revoked),
      });
      socket.closed.addEventListener('abort', connected.close, { once: true });
      return (content) => {
        const ready = decode(Ready, content);
        if (!isLeft(ready)) return connected.setSlots(ready.right.slots, ready.right.assignments);
        const heartbeat = decode(HeartbeatMessage, content);
        if (isLeft(heartbeat)) return socket.end(streamEnds.malformed);
        connected.heartbeat(heartbeat.right).catch((error: unknown) => {
          adapters.log.error({ error }, 'defect in a heartbeat');
        });
      };
    };
  },
});
