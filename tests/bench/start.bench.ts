/**
 * What `npm start` takes, with stores of its own: the first start in an empty directory with a bundle to build, starts after it, and their ends.
 * Processor seconds beside the time, which others on the machine lengthen. `--processes` is the part that starts a process for each service.
 */
import { rmSync } from 'node:fs';
import { freePort } from '../../infra/operate/launch/free-port';
import { ensureBundle } from '../../infra/server/bundle/bundle-cache.cjs';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { launch, linkTools } from '../support/processes/launcher';
import { isOfOurs, sum, type Usage, usageByName } from './idle/process-usage';
import { report } from './measure';

export const parts = ['shared', 'processes'];

const starts = 3;
const aims = { first: 20, again: 5, stop: 3, memory: 512 };

const nothing: Usage = { seconds: 0, privateKilobytes: 0, proportionalKilobytes: 0 };

const total = (usages: readonly Usage[]): Usage => usages.reduce(sum, nothing);

interface Start {
  readonly name: string;
  readonly aim: number;
  readonly data: string;
  readonly options: readonly string[];
}

const startOnce = async ({ name, aim, data, options }: Start): Promise<void> => {
  const began = performance.now();
  const port = String(await freePort());
  const system = await launch({
    directory: process.cwd(),
    arguments: ['--data', data, '--port', port, ...options],
    asInstalled: true,
  });
  const seconds = (performance.now() - began) / 1_000;
  const usages = [...usageByName(system.pid)];
  const ours = total(usages.filter(([process]) => isOfOurs(process)).map(([, usage]) => usage));
  report({ name: `${name}.until-url`, value: system.upSeconds, unit: 's', baseline: aim });
  report({ name: `${name}.until-complete`, value: seconds, unit: 's' });
  report({ name: `${name}.processor`, value: total(usages.map(([, usage]) => usage)).seconds, unit: 's' });
  report({ name: `${name}.ours.processor`, value: ours.seconds, unit: 's' });
  report({
    name: `${name}.ours.memory`,
    value: ours.proportionalKilobytes / 1_024,
    unit: 'MiB',
    baseline: aims.memory,
  });
  const stopping = performance.now();
  await system.stop();
  report({ name: `${name}.stop`, value: (performance.now() - stopping) / 1_000, unit: 's', baseline: aims.stop });
};

const measure = async (part: string): Promise<void> => {
  const data = temporaryDirectory('bench-start');
  linkTools(data.path);
  const options = part === 'processes' ? ['--processes'] : [];
  try {
    rmSync(ensureBundle(), { recursive: true });
    await startOnce({ name: `start.${part}.first`, aim: aims.first, data: data.path, options });
    for (let count = 1; count <= starts; count += 1)
      await startOnce({ name: `start.${part}.again-${count}`, aim: aims.again, data: data.path, options });
  } finally {
    data.remove();
  }
};

export const run = async (chosen: readonly string[] = parts): Promise<void> => {
  for (const part of parts.filter((one) => chosen.length === 0 || chosen.includes(one))) await measure(part);
};
