/**
 * Bytes through the gateway in both directions, beside the same service reached directly, through a proxy that does nothing, and through one
 * that only joins sockets. Each process in between takes processor time on the way of every byte, so that is reported as well: with a
 * core for each process, the slowest of client, gateway and service decides.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { startTransferSystem, type TransferSystem } from '../contracts/gateway/transfers/system';
import { sampleIdentity, signedHeader } from '../support/http/http-service';
import { startListening } from '../support/servers/event-store-node';
import { percentile, report } from './measure';

export const parts = ['up', 'down', 'memory'];

const mebibyte = 2 ** 20;
const size = 512 * mebibyte;
const rounds = 5;
const chunk = Buffer.alloc(65_536, 0x62);
const ways = ['direct', 'sockets', 'bare', 'gateway'] as const;
type Way = (typeof ways)[number];

interface Transfer {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
}

interface Target {
  readonly port: number;
  /** The process that answers there. */
  readonly pid: number;
  readonly headersOf: (transfer: Transfer) => Record<string, string>;
}
type Targets = { readonly [W in Way]: Target };

/** Writes a body of `size` bytes, as fast as it is taken. */
const writeAll = (sent: ReturnType<typeof request>): void => {
  let left = size;
  const write = (): void => {
    while (left > 0) {
      left -= chunk.length;
      if (!sent.write(chunk)) return void sent.once('drain', write);
    }
    sent.end();
  };
  write();
};

/** Resolves with the number of bytes of the answer. Rejects on anything but success. */
const transferOnce = ({ port, headersOf }: Target, transfer: Transfer): Promise<number> =>
  new Promise((resolve, reject) => {
    const length = transfer.method === 'PUT' ? { 'content-length': size } : {};
    const headers = { ...headersOf(transfer), ...length };
    const sent = request({ host: '127.0.0.1', port, ...transfer, headers, agent: false }, (answer) => {
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
      });
      answer.once('error', reject);
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve(bytes) : reject(new Error(`answered ${answer.statusCode}`)),
      );
    });
    sent.once('error', reject);
    if (transfer.method === 'PUT') writeAll(sent);
    else sent.end();
  });

const megabytesPerSecond = async (target: Target, transfer: Transfer): Promise<number> => {
  const began = performance.now();
  await transferOnce(target, transfer);
  return size / 1_000 / (performance.now() - began);
};

const clockTicksPerSecond = 100;

/** Seconds that a process has run, in the kernel and outside. */
const processorSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
};

interface Measured {
  /** MB/s, the median. */
  readonly speed: number;
  /** Processor seconds of the process that answers, per GiB. */
  readonly processor: number;
}

type MeasuredByWay = { readonly [W in Way]: Measured };

const byWay = <A>(figureOf: (way: Way) => A) =>
  Object.fromEntries(ways.map((way) => [way, figureOf(way)])) as { readonly [W in Way]: A };

/** In turns, so that all ways feel whatever else the machine does. */
const measure = async (targets: Targets, transfer: Transfer): Promise<MeasuredByWay> => {
  const speeds = byWay(() => [] as number[]);
  const seconds = byWay(() => [] as number[]);
  for (const way of ways) await transferOnce(targets[way], transfer);
  for (let round = 0; round < rounds; round += 1)
    for (const way of ways) {
      const before = processorSeconds(targets[way].pid);
      speeds[way].push(await megabytesPerSecond(targets[way], transfer));
      seconds[way].push(processorSeconds(targets[way].pid) - before);
    }
  return byWay((way) => ({
    speed: percentile(speeds[way], 0.5),
    processor: (percentile(seconds[way], 0.5) * 1_024 * mebibyte) / size,
  }));
};

const compare = async (name: string, targets: Targets, transfer: Transfer): Promise<void> => {
  const { direct, ...between } = await measure(targets, transfer);
  const label = (way: string): string => `gateway-stream.${name}${way === 'gateway' ? '' : `.${way}`}`;
  for (const [way, { speed, processor }] of Object.entries(between)) {
    report({ name: label(way), value: speed, unit: 'MB/s', baseline: direct.speed });
    report({ name: `${label(way)}.processor`, value: processor, unit: 's/GiB', baseline: direct.processor });
  }
};

const uploads = { up: '/films/count', 'up.digested': '/films/digest' };

const memory = async (system: TransferSystem, target: Target): Promise<void> => {
  for (const [name, transfer] of [
    ['up', { method: 'PUT', path: uploads.up }],
    ['down', { method: 'GET', path: `/films/bytes?size=${size}` }],
  ] as const) {
    await transferOnce(target, transfer);
    const before = system.memory();
    const peak = await system.peakDuring(async () => {
      for (let round = 0; round < 4; round += 1) await transferOnce(target, transfer);
    });
    report({ name: `gateway-stream.${name}.memory`, value: peak - before, unit: 'MiB' });
  }
};

export const run = async (chosen: readonly string[]): Promise<void> => {
  const wanted = (part: string): boolean => chosen.length === 0 || chosen.includes(part);
  const service = await startListening(['tests/contracts/gateway/transfers/films.ts']);
  const proxyOf = (script: string) =>
    startListening([`tests/bench/gateway/${script}`, `http://127.0.0.1:${service.port}`]);
  const proxy = await proxyOf('bare-proxy.main.ts');
  const sockets = await proxyOf('socket-proxy.main.ts');
  const system = await startTransferSystem({ FILMS_URL: `http://127.0.0.1:${service.port}`, LOG_LEVEL: 'warn' });
  const signed = ({ method, path }: Transfer) => ({ 'septet-identity': signedHeader(method, path, sampleIdentity) });
  const targets: Targets = {
    direct: { port: service.port, pid: service.child.pid as number, headersOf: signed },
    sockets: { port: sockets.port, pid: sockets.child.pid as number, headersOf: signed },
    bare: { port: proxy.port, pid: proxy.child.pid as number, headersOf: signed },
    gateway: { port: system.port, pid: system.pid, headersOf: () => ({ authorization: `Bearer ${system.token()}` }) },
  };
  if (wanted('up'))
    for (const [name, path] of Object.entries(uploads)) await compare(name, targets, { method: 'PUT', path });
  if (wanted('down')) await compare('down', targets, { method: 'GET', path: `/films/bytes?size=${size}` });
  if (wanted('memory')) await memory(system, targets.gateway);
  proxy.child.kill();
  sockets.child.kill();
  service.child.kill();
  await system.close();
};
