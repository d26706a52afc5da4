/** Playback and licences per second, each beside bare express with the same bytes, in turns: by the clock, and by the processor time of the service. */
import { Pool } from 'undici';
import { identityHeader, signCaller } from '../../infra/server/http/identity/identity-header';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { macSigner } from '../support/http/internal-keys';
import { startEventStoreNode, startListening } from '../support/servers/event-store-node';
import { caller } from '../support/video/upload-stage';
import { processorTimeOf } from './files/processor-time';
import { fromCallers, percentile, rate, report } from './measure';

const callers = 32;
const warmUp = 2_000;
const requests = 4_000;
const rounds = 5;

export const parts = ['playback', 'licence'];

const ada = caller('ada');

interface Answered {
  readonly content: Buffer;
  readonly type: string;
}

/** As many connections as callers, kept open; requests are signed as the gateway signs them, on both ways. */
const senderTo = (port: number, target: string) => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: callers, pipelining: 1 });
  const send = async (): Promise<Answered> => {
    const line = { method: 'GET', target };
    const signed = signCaller({ identity: ada, requestId: 'bench' }, { signer: macSigner, line, now: Date.now() });
    const headers = { [identityHeader]: signed };
    const { statusCode, body, headers: answered } = await pool.request({ method: 'GET', path: target, headers });
    const content = Buffer.from(await body.arrayBuffer());
    if (statusCode !== 200) throw new Error(`${target} answered ${statusCode}: ${content.toString()}`);
    return { content, type: String(answered['content-type']) };
  };
  return { send, close: () => pool.close() };
};

interface Way {
  readonly pid: number;
  readonly send: () => Promise<Answered>;
}

interface Round {
  readonly perSecond: number;
  readonly perProcessorSecond: number;
}

const measured = async ({ pid, send }: Way): Promise<Round> => {
  const before = processorTimeOf(pid);
  const perSecond = await rate(requests, () => fromCallers(callers, requests, send));
  return { perSecond, perProcessorSecond: (requests * 1_000) / (processorTimeOf(pid) - before) };
};

const compare = async (name: string, ours: { readonly pid: number; readonly port: number }, target: string) => {
  const own = senderTo(ours.port, target);
  const { content, type } = await own.send();
  const { child, port } = await startListening([
    'tests/bench/video/bare-express.main.ts',
    content.toString('base64'),
    type,
  ]);
  const bare = senderTo(port, '/');
  const ways = { ours: { pid: ours.pid, send: own.send }, express: { pid: child.pid ?? 0, send: bare.send } };
  for (const { send } of Object.values(ways)) await fromCallers(callers, warmUp, send);
  const found = { ours: [] as Round[], express: [] as Round[] };
  for (let round = 0; round < rounds; round += 1)
    for (const way of ['express', 'ours'] as const) found[way].push(await measured(ways[way]));
  const median = (way: keyof typeof found, of: keyof Round) =>
    percentile(
      found[way].map((one) => one[of]),
      0.5,
    );
  for (const [of, unit] of [
    ['perSecond', 'requests/s'],
    ['perProcessorSecond', 'requests/processor-s'],
  ] as const)
    report({ name: `video-control.${name}.${of}`, value: median('ours', of), unit, baseline: median('express', of) });
  await Promise.all([own.close(), bare.close()]);
  child.kill();
};

export const run = async (chosen: readonly string[]): Promise<void> => {
  const data = temporaryDirectory('bench');
  const node = await startEventStoreNode(data.path);
  const { child, port } = await startListening(['tests/bench/video/served-videos.main.ts', node.url]);
  try {
    const ours = { pid: child.pid ?? 0, port };
    const playback = '/api/videos/v-1/playback';
    const isChosen = (part: string): boolean => chosen.length === 0 || chosen.includes(part);
    if (isChosen('playback')) await compare('playback', ours, playback);
    const first = senderTo(port, playback);
    const { licenseUrl } = JSON.parse((await first.send()).content.toString()) as { readonly licenseUrl: string };
    await first.close();
    if (isChosen('licence')) await compare('licence', ours, licenseUrl);
  } finally {
    child.kill();
    await node.stop();
    data.remove();
  }
};
