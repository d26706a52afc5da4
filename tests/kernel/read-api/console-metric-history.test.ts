/** Which recorded metrics get a chart. */
import assert from 'node:assert/strict';
import { perMinuteOf } from '../../../read-api/web/kernel/format';
import { historyOf, isMoving, latestOf } from '../../../read-api/web/kernel/metric-history';

describe('recorded metrics of the console', () => {
  it('move when they differ by more than a hundredth of their highest value', () => {
    assert.equal(isMoving([0, 0, null, 0]), false);
    assert.equal(isMoving([0, 0.1, 0]), true);
    assert.equal(isMoving([3, 3, 3]), false);
    assert.equal(isMoving([52_000_000, 52_100_000]), false);
    assert.equal(isMoving([52_000_000, 54_000_000]), true);
    assert.equal(isMoving([7]), false);
    assert.equal(isMoving(undefined), false);
  });

  it('begin with the first record, but have ten minutes at least', () => {
    const recorded = (firstStep: number) => {
      const values = Array.from({ length: 240 }, (_, step) => (step < firstStep ? null : step));
      const start = '2026-06-01T12:00:00.000Z';
      const series = [{ name: 'commands', values }];
      const { from, of } = historyOf({ history: { stepSeconds: 15, from: start, series, why: null } });
      const charted = of('commands') ?? [];
      return { minutes: (from - Date.parse(start)) / 60_000, first: charted[0], count: charted.length };
    };
    assert.deepEqual(recorded(0), { minutes: 0, first: 0, count: 240 });
    assert.deepEqual(recorded(100), { minutes: 25, first: 100, count: 140 });
    assert.deepEqual(recorded(238), { minutes: 50, first: null, count: 40 });
  });

  it('count events of the last minute, however short a step is', () => {
    const ofOneEvent = (stepSeconds: number, values: readonly (number | null)[]) =>
      historyOf({
        history: {
          stepSeconds,
          from: '2026-06-01T12:00:00.000Z',
          series: [{ name: 'sign-ins-failed', values }],
          why: null,
        },
      })
        .minuteMeanOf('sign-ins-failed')
        ?.map((perSecond) => (perSecond === null ? null : perMinuteOf(perSecond)));
    const one = 1 / 15;
    assert.deepEqual(ofOneEvent(15, [null, one, 0, 0, 0, 0]), [null, '1/min', '1/min', '1/min', '1/min', '0/min']);
    assert.deepEqual(ofOneEvent(15, [one * 9, one, 0]), ['9/min', '10/min', '10/min']);
    assert.deepEqual(ofOneEvent(360, [1 / 60, 0]), ['1/min', '0/min']);
  });

  it('have the latest value that was recorded, and sums of what stands below a name', () => {
    const history = historyOf({
      history: {
        stepSeconds: 15,
        from: '2026-06-01T12:00:00.000Z',
        series: [
          { name: 'waiting/mail', values: [1, null, 3] },
          { name: 'waiting/films', values: [2, null, null] },
        ],
        why: null,
      },
    });
    assert.deepEqual(history.sumOf('waiting/'), [3, null, 3]);
    assert.equal(latestOf(history.of('waiting/films')), 2);
    assert.equal(history.sumOf('dead/'), undefined);
  });
});
