/** The server's statistics as a stream. */

import assert from 'node:assert/strict';
import { MonitoringClient } from '@eventstore/db-client/generated/monitoring_grpc_pb';
import { StatsReq, type StatsResp } from '@eventstore/db-client/generated/monitoring_pb';
import { type ServiceError, status } from '@grpc/grpc-js';
import { skip } from '../../../../support/runner/skip';
import { basic } from '../harness/channel';
import { append } from '../harness/raw-calls';
import { appended } from '../harness/replies';
import { foreignLog, givenUrl, type Server } from '../harness/server-under-test';
import { freshStream, several } from '../harness/stream-requests';
import { usersOf } from '../users/managed-users';

type Statistics = Readonly<Record<string, string>>;

const request = (period: number): StatsReq => new StatsReq().setRefreshTimePeriodInMs(String(period));

const statisticsOf = (reply: StatsResp): Statistics => Object.fromEntries(reply.getStatsMap().toArray());

/** So many replies, then the call is cancelled. */
const take = async (client: MonitoringClient, count: number, period = 0): Promise<readonly Statistics[]> => {
  const call = client.stats(request(period));
  const found: Statistics[] = [];
  try {
    for await (const reply of call) {
      found.push(statisticsOf(reply as StatsResp));
      if (found.length === count) break;
    }
  } finally {
    call.on('error', () => undefined);
    call.cancel();
  }
  return found;
};

const numeric = [
  'proc-id',
  'proc-mem',
  'proc-cpu',
  'proc-threadsCount',
  'proc-diskIo-readBytes',
  'proc-diskIo-writtenBytes',
  'proc-gc-gen0Size',
  'proc-gc-gen2Size',
  'proc-gc-largeHeapSize',
  'proc-gc-timeInGc',
  'proc-gc-totalBytesInHeaps',
  'sys-loadavg-1m',
  'sys-loadavg-5m',
  'sys-loadavg-15m',
  'sys-freeMem',
  'sys-totalMem',
  'es-checksum',
  'es-checksumNonFlushed',
];

export const monitoringContract = (server: Server): void => {
  it('answers statistics by their usual names', async () => {
    const [figures] = await take(server.stub(MonitoringClient), 1);
    for (const name of numeric) assert.ok(Number.isFinite(Number(figures?.[name])), `${name}: ${figures?.[name]}`);
    assert.ok(!Number.isNaN(Date.parse(figures?.['proc-startTime'] ?? '')));
    const drive = Object.keys(figures ?? {}).filter((name) => name.startsWith('sys-drive-'));
    assert.deepEqual(drive.map((name) => name.split('-').at(-1)).sort(), [
      'availableBytes',
      'totalBytes',
      'usage',
      'usedBytes',
    ]);
  });

  it('gives them again and again, as the log grows', async () => {
    const call = server.stub(MonitoringClient).stats(request(1));
    let checked: bigint | undefined;
    for await (const reply of call) {
      const end = BigInt(statisticsOf(reply as StatsResp)['es-checksum'] ?? 0);
      if (checked !== undefined && end > checked) break;
      checked = end;
      appended(await append(server.raw(), { stream: freshStream('figures'), events: several(1) }));
    }
    assert.ok(checked !== undefined);
  });

  it('takes any period', async () => {
    for (const period of [0, 1, Number.MAX_SAFE_INTEGER])
      assert.equal((await take(server.stub(MonitoringClient), 1, period)).length, 1);
  });
};

/** On a secure server. */
export const monitoringAccessContract = (server: Server): void => {
  const { created } = usersOf(server);
  const codeFor = async (authorization: string): Promise<status> => {
    try {
      await take(server.stub(MonitoringClient, authorization), 1);
      return status.OK;
    } catch (error) {
      return (error as ServiceError).code;
    }
  };

  it('refuses wrong credentials', async () => {
    assert.equal(await codeFor(basic({ login: 'admin', password: 'wrong' })), status.UNAUTHENTICATED);
  });

  it('answers operators', async () => {
    assert.equal(await codeFor(basic(await created({ groups: ['$ops'] }))), status.OK);
  });

  // A real node sends its statistics to every caller.
  it('is refused to other users, here', async function () {
    if (givenUrl !== undefined) skip(this, foreignLog);
    for (const authorization of ['', basic(await created({ groups: ['readers'] }))])
      assert.equal(await codeFor(authorization), status.PERMISSION_DENIED);
  });
};
