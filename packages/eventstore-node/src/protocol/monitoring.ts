/** The Monitoring service: figures, again and again until the client has had enough. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MonitoringService } from '@eventstore/db-client/generated/monitoring_grpc_pb';
import { type StatsReq, StatsResp } from '@eventstore/db-client/generated/monitoring_pb';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { administrators, operators } from '../access/acl';
import { statsOf } from '../stats';
import { failing, type Node } from './calls';
import { outgoing } from './outgoing';

/** What a real node does with 0 is to spin. */
const shortestPeriod = 100;
/** Timers know no longer one. */
const longestPeriod = 2 ** 31 - 1;

const periodOf = (request: StatsReq): number => {
  const asked = Number(request.getRefreshTimePeriodInMs());
  return Math.min(Math.max(asked, shortestPeriod), longestPeriod);
};

const replyOf = (node: Node): Buffer => {
  const reply = new StatsResp();
  const map = reply.getStatsMap();
  for (const [name, value] of Object.entries(statsOf(node))) map.set(name, String(value));
  return Buffer.from(reply.serializeBinary());
};

const stats =
  (node: Node) =>
  (call: ServerWritableStream<StatsReq, StatsResp>): void => {
    const fail = failing(node, call);
    const out = outgoing(call);
    node.open.add(fail);
    out.signal.addEventListener('abort', () => node.open.delete(fail));
    const run = async (): Promise<void> => {
      const caller = await node.access.callerOf(call.metadata);
      node.access.allowOperator(caller, administrators, operators);
      const period = periodOf(call.request);
      while (!out.signal.aborted) {
        await out.send([replyOf(node)]);
        await sleep(period, undefined, { signal: out.signal, ref: false }).catch(() => undefined);
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
