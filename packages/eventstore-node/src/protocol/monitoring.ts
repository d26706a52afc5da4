/** The Monitoring service: sends statistics at an interval until the client ends the call. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MonitoringService } from '@eventstore/db-client/generated/monitoring_grpc_pb';
import { type StatsReq, StatsResp } from '@eventstore/db-client/generated/monitoring_pb';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { administrators, operators } from '../access/acl';
import { collectStats } from '../server/stats';
import { createFail, type Node } from './call-context';
import { createResponseStream } from './response-stream';

/** With 0, EventStoreDB would send them in a busy loop. */
const minPeriod = 100;
/** The longest delay of a timer. */
const maxPeriod = 2 ** 31 - 1;

const periodOf = (request: StatsReq): number => {
  const requested = Number(request.getRefreshTimePeriodInMs());
  return Math.min(Math.max(requested, minPeriod), maxPeriod);
};

const replyOf = (node: Node): Buffer => {
  const reply = new StatsResp();
  const map = reply.getStatsMap();
  for (const [name, value] of Object.entries(collectStats(node))) map.set(name, String(value));
  return Buffer.from(reply.serializeBinary());
};

const stats =
  (node: Node) =>
  (call: ServerWritableStream<StatsReq, StatsResp>): void => {
    const fail = createFail(node, call);
    const out = createResponseStream(call);
    const closed = new AbortController();
    node.openCalls.add(fail);
    out.onClose(() => {
      node.openCalls.delete(fail);
      closed.abort();
    });
    const run = async (): Promise<void> => {
      const caller = await node.access.callerFromMetadata(call.metadata);
      node.access.allowOperator(caller, administrators, operators);
      const period = periodOf(call.request);
      while (!out.isClosed()) {
        await out.send([replyOf(node)]);
        await sleep(period, undefined, { signal: closed.signal, ref: false }).catch(() => undefined);
      }
    };
    run().catch(fail);
  };

export const monitoringService = {
  stats: {
    ...MonitoringService.stats,
    responseSerialize: (reply: unknown): Buffer => reply as Buffer,
  },
};

export const monitoringMethods = (node: Node) => ({ stats: stats(node) });
