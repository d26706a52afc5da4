/** What `npm start` prints: a line per part, and no line of another program. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLauncherLog, openLogs, openTerminal } from '../../../../infra/operate/launch/terminal-output';
import { offDetail, offReason, offSummary } from '../../../../infra/server/runtime/store-off';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { eventually } from '../../../support/waiting/eventually';

const captured = () => {
  const lines: string[] = [];
  let milliseconds = 400;
  const terminal = openTerminal({
    write: (text) => void lines.push(text.trimEnd()),
    elapsed: () => milliseconds,
    timeOfDay: () => '14:05:33',
  });
  return {
    ...terminal,
    lines,
    wait: (more: number) => {
      milliseconds += more;
    },
  };
};

/** What is written to the terminal meanwhile. */
const printedBy = (work: () => void): string => {
  const { write } = process.stdout;
  const printed: string[] = [];
  process.stdout.write = (text: string | Uint8Array) => printed.push(String(text)) > 0;
  try {
    work();
  } finally {
    process.stdout.write = write;
  }
  return printed.join('');
};

describe('the terminal of a start', () => {
  it('has the elapsed time, what each part does, how many are there, and once where its log is', () => {
    const { expect, step, ready, wait, lines } = captured();
    expect([{ name: 'postgres', logFile: '/data/postgres/output.log' }, { name: 'commands' }]);
    step('postgres', 'starting');
    wait(1_000);
    ready('postgres');
    ready('commands');
    ready('postgres');
    assert.deepEqual(lines, [
      '     0.4 s  postgres       starting (log: /data/postgres/output.log)',
      '     1.4 s  postgres       ready, 1 of 2',
      '     1.4 s  commands       ready, 2 of 2',
      '     1.4 s  postgres       ready, again',
    ]);
  });

  it('knows what is still waited for, and what is off and why', () => {
    const { expect, off, ready, pending, offParts, lines } = captured();
    expect([{ name: 'redis' }, { name: 'commands' }, { name: 'search' }]);
    off('redis', 'There is no python3 on the PATH.');
    ready('commands');
    assert.deepEqual(pending(), ['search']);
    assert.deepEqual([...offParts()], [['redis', 'There is no python3 on the PATH.']]);
    assert.equal(lines[0], '     0.4 s  redis          off: There is no python3 on the PATH.');
    ready('redis');
    assert.equal(offParts().size, 0);
  });

  it('has the time of day once the start is complete', () => {
    const { complete, step, lines } = captured();
    complete();
    step('commands', 'it ended; it is started again');
    assert.deepEqual(lines, ['  14:05:33  commands       it ended; it is started again']);
  });
});

describe('lines of services', () => {
  const data = useTemporaryDirectory('logs');

  it('are in files; the terminal has the messages of warnings and errors, without fields and stacks', async () => {
    const logs = openLogs(data);
    const line = logs.lineOf('commands');
    const log = join(data, 'logs', 'commands.log');
    const printed = printedBy(() => {
      line('{"level":30,"msg":"ready"}');
      line('{"level":40,"msg":"a job failed","error":{"stack":"Error: at x"}}');
      line('{"level":50,"msg":"the runner could not start","detail":"Another runner has the directory."}');
      line('{"level":50,"msg":"not usable","faults":[{"variable":"PORT","expected":"a port"}]}');
      line('Exception in thread "main" java.lang.Error');
      line('    at Object.<anonymous> (x.js:1:1)');
    });
    assert.deepEqual(
      printed
        .trimEnd()
        .split('\n')
        .map((text) => text.replace(/^ +[\d.]+ s +commands +/, '')),
      [
        `warning: a job failed (see ${log})`,
        `error: the runner could not start: Another runner has the directory. (see ${log})`,
        `error: not usable: PORT must be a port (see ${log})`,
      ],
    );
    logs.close();
    await eventually(async () => assert.equal(readFileSync(log, 'utf8').trimEnd().split('\n').length, 6));
  });

  it('of the launcher have what another program printed in its file alone', async () => {
    const logs = openLogs(data);
    const log = openLauncherLog(logs);
    const printed = printedBy(() =>
      log.warn({ server: 'postgres', detail: 'It ended while it started.', cause: 'FATAL: x' }, 'it is tried again'),
    );
    const file = join(data, 'postgres', 'output.log');
    assert.match(
      printed,
      new RegExp(`postgres +it is tried again: It ended while it started\\. \\(see ${file}\\)\\n$`),
    );
    logs.close();
    await eventually(async () => assert.match(readFileSync(logs.pathOf('launcher'), 'utf8'), /"cause":"FATAL: x"/));
  });
});

describe('why a store is off', () => {
  const env = { OFF_ELASTICSEARCH: 'Java is missing.', OFF_ELASTICSEARCH_LOG: '/data/logs/launcher.log' };

  it('is one sentence everywhere; operators read where the log is, and a start what does not work', () => {
    assert.equal(offDetail('ELASTICSEARCH', env.OFF_ELASTICSEARCH), 'Elasticsearch is off. Java is missing.');
    assert.equal(offDetail('REDIS', undefined), 'Redis is off. REDIS_URL is not set.');
    assert.equal(
      offReason('ELASTICSEARCH', env),
      'Elasticsearch is off. Java is missing. Its log: /data/logs/launcher.log.',
    );
    assert.match(offSummary('ELASTICSEARCH', env), /Without it, place search and security events answer 503\.$/);
  });
});
