/**
 * What a system costs that has nothing to do, started by the launcher with stores of its own in an empty directory: processor time of a
 * minute and memory, of each process and in all. Others on the machine lengthen the settling, and change neither.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { schema } from '../../infra/adapters/postgres/sql';
import { freePort } from '../../infra/operate/launch/free-port';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { launch, linkTools } from '../support/processes/launcher';
import { runningStoresOf } from '../support/processes/running-system';
import { sum, type Usage, usageByName } from './idle/process-usage';
import { report } from './measure';

const measuredSeconds = 60;
/** What a start leaves behind, as reads of the log and of certificates, is over when no checkpoint has moved for this long. */
const quietSeconds = 20;
const lookSeconds = 2;

const positions = `select string_agg(position, ',' order by position) as text from (
    select view || number || coalesce(position::text, '') as position from ${schema}.view_generations
    union all select process || coalesce(position::text, '') from ${schema}.process_checkpoints) as known`;

const waitForQuiet = async (postgresUrl: string): Promise<void> => {
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    let before: string | undefined;
    for (let quiet = 0; quiet < quietSeconds; quiet += lookSeconds) {
      const { rows } = await client.query<{ text: string }>(positions);
      if (rows[0]?.text !== before) quiet = 0;
      before = rows[0]?.text;
      await sleep(lookSeconds * 1_000);
    }
  } finally {
    await client.end();
  }
};

const nothing: Usage = { seconds: 0, privateKilobytes: 0, proportionalKilobytes: 0 };

const reportUsage = (name: string, { seconds, privateKilobytes, proportionalKilobytes }: Usage): void => {
  report({ name: `idle.${name}.processor`, value: (seconds * 60) / measuredSeconds, unit: 's/min' });
  report({ name: `idle.${name}.private`, value: privateKilobytes / 1_024, unit: 'MiB' });
  report({ name: `idle.${name}.proportional`, value: proportionalKilobytes / 1_024, unit: 'MiB' });
};

export const run = async (): Promise<void> => {
  const data = temporaryDirectory('bench-idle');
  linkTools(data.path);
  const options = ['--data', data.path, '--port', String(await freePort())];
  const system = await launch({ directory: process.cwd(), arguments: options, asInstalled: true });
  try {
    await waitForQuiet(runningStoresOf(data.path).POSTGRES_URL);
    const before = usageByName(system.pid);
    await sleep(measuredSeconds * 1_000);
    const used = [...usageByName(system.pid)].map(([name, { seconds, ...memory }]): readonly [string, Usage] => [
      name,
      { ...memory, seconds: seconds - (before.get(name)?.seconds ?? 0) },
    ]);
    for (const [name, usage] of used) reportUsage(name, usage);
    reportUsage(
      'all',
      used.reduce((all, [, usage]) => sum(all, usage), nothing),
    );
  } finally {
    await system.stop();
    data.remove();
  }
};
