import assert from 'node:assert/strict';
import { trackOutage } from '../../../../infra/server/runtime/outage';
import { recordingLog } from '../../../support/waiting/recording-log';

const messages = { failing: 'the store is away', recovered: 'the store is back' };

describe('an outage in the log', () => {
  const begin = () => {
    const log = recordingLog();
    let milliseconds = 0;
    const track = () => trackOutage(log, messages, () => milliseconds);
    const written = () => log.lines.filter(({ level }) => level !== 'debug');
    const lines = () => written().map(({ level, message, fields }) => [level, message, fields]);
    const wait = (seconds: number): void => {
      milliseconds += seconds * 1_000;
    };
    return { log, track, lines, wait };
  };

  it('is written when it begins, once a minute, and when it is over', () => {
    const { track, lines, wait } = begin();
    const outage = track();
    for (let second = 0; second < 130; second += 1) {
      outage.failed({ detail: 'refused' });
      wait(1);
    }
    outage.recovered();
    outage.recovered();
    assert.deepEqual(lines(), [
      ['warn', 'the store is away', { detail: 'refused' }],
      ['warn', 'the store is away', { detail: 'refused', seconds: 60, failures: 60 }],
      ['warn', 'the store is away', { detail: 'refused', seconds: 120, failures: 60 }],
      ['info', 'the store is back', { seconds: 130 }],
    ]);
  });

  it('is one for all loops of a process that warn in the same words, over when the last of them works', () => {
    const { track, lines } = begin();
    const [first, second] = [track(), track()];
    first.failed({});
    second.failed({});
    first.recovered();
    assert.deepEqual(lines(), [['warn', 'the store is away', {}]]);
    second.recovered();
    assert.equal(lines().length, 2);
  });

  it('is forgotten with the loop that ends during it', () => {
    const { track, lines, wait } = begin();
    const [first, second] = [track(), track()];
    first.failed({});
    first.end();
    wait(60);
    second.failed({});
    second.recovered();
    assert.deepEqual(
      lines().map(([level]) => level),
      ['warn', 'warn', 'info'],
    );
  });

  it('writes little about what fails and works by turns', () => {
    const { track, lines, wait } = begin();
    const outage = track();
    for (let turn = 0; turn < 100; turn += 1) {
      outage.failed({});
      outage.recovered();
      wait(0.1);
    }
    assert.deepEqual(
      lines().map(([level]) => level),
      ['warn', 'info'],
    );
  });

  it('is each log’s own', () => {
    const [one, other] = [begin(), begin()];
    one.track().failed({});
    other.track().failed({});
    assert.deepEqual([one.lines().length, other.lines().length], [1, 1]);
  });
});
