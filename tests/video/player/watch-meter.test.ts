/** What heartbeats report adds up to what was watched, whatever is lost, late or repeated. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  afterReport,
  afterWatchEvent,
  initialWatchMeter,
  mostSeconds,
  reportOf,
  type WatchEvent,
} from '../../../read-api/web/video/player/watch-meter';

describe('the meter of what is watched', () => {
  it('counts seconds of playing alone', () => {
    const events: readonly (readonly [WatchEvent, number])[] = [
      ['playing', 1_000],
      ['stalled', 6_000],
      ['playing', 9_000],
      ['sought', 10_000],
      ['stopped', 14_000],
    ];
    const meter = events.reduce((before, [event, at]) => afterWatchEvent(before, event, at), initialWatchMeter);
    const [report] = reportOf(meter, 60_000);
    assert.deepEqual(report, { watchedSeconds: 10, bufferingEvents: 1, seekCount: 1, sequence: 0 });
  });

  it('loses nothing between reports that are received and some that are not', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            event: fc.constantFrom<WatchEvent>('playing', 'stopped', 'stalled', 'sought'),
            passed: fc.nat(20_000),
            isReceived: fc.boolean(),
          }),
        ),
        (steps) => {
          let [meter, now, playedMilliseconds, isPlaying] = [initialWatchMeter, 0, 0, false];
          const counts = { stalled: 0, sought: 0 };
          const received = { watchedSeconds: 0, bufferingEvents: 0, seekCount: 0, reports: 0 };
          for (const { event, passed, isReceived } of steps) {
            if (event === 'stalled' || event === 'sought') counts[event] += 1;
            meter = afterWatchEvent(meter, event, now);
            if (event !== 'sought') isPlaying = event === 'playing';
            now += passed;
            if (isPlaying) playedMilliseconds += passed;
            const [report, current] = reportOf(meter, now);
            assert.equal(report.sequence, received.reports);
            assert.ok(report.watchedSeconds >= 0 && report.watchedSeconds <= mostSeconds);
            meter = isReceived ? afterReport(current, report) : current;
            if (!isReceived) continue;
            received.reports += 1;
            received.watchedSeconds += report.watchedSeconds;
            received.bufferingEvents += report.bufferingEvents;
            received.seekCount += report.seekCount;
          }
          const [rest] = reportOf({ ...meter, playingSince: undefined }, now);
          assert.equal(received.bufferingEvents + rest.bufferingEvents, counts.stalled);
          assert.equal(received.seekCount + rest.seekCount, counts.sought);
          assert.equal(received.watchedSeconds * 1_000 + meter.watchedMilliseconds, playedMilliseconds);
        },
      ),
    ));
});
