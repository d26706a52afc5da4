/** The rule of views: what heartbeats add, whatever their order, and that it is that of a simple model. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countPage } from '../../commands/video/views/count-page';
import type { TenantId } from '../../domain/kernel/ids';
import type { VideoId } from '../../domain/video/ids';
import { addViews, noViews, type ViewSums } from '../../domain/video/views/events';
import type { ReceivedHeartbeat } from '../../infra/ports/video/heartbeats';
import type { CountedViewer, KnownPlayback } from '../../infra/ports/video/view-counts';
import { resumePosition } from '../../infra/server/video/resume-position';
import { modelViews } from '../support/video/view-model';

const start = Date.parse('2026-01-31T12:00:00.000Z');
const second = 1_000;
const hour = 3_600 * second;

const heartbeat = (more: Partial<ReceivedHeartbeat> = {}): ReceivedHeartbeat => ({
  ...{ tenant: 'acme' as TenantId, videoId: 'v-1' as VideoId, viewerId: 'ada', sessionId: 's-1', id: '1-0' },
  ...{ sequence: 0, watched: 30 * second, position: 30 * second, bufferingEvents: 0, seeks: 0 },
  ...{ issuedAt: start, expiresAt: start + 48 * hour, duration: 600 * second, receivedAt: start + 30 * second },
  ...more,
});

/** Page by page, as a consumer does. */
const countPages = (pages: readonly (readonly ReceivedHeartbeat[])[]) => {
  const playbacks = new Map<string, KnownPlayback>();
  const viewers = new Map<string, CountedViewer>();
  const minutes = new Map<string, ViewSums>();
  for (const page of pages) {
    const counted = countPage({ playbacks: [...playbacks.values()], viewers: [...viewers.values()] }, page);
    for (const one of counted.playbacks) playbacks.set(one.sessionId, one);
    for (const one of counted.viewers) viewers.set(one.viewerId, one);
    for (const { minute, sums } of counted.minutes) minutes.set(minute, addViews(minutes.get(minute) ?? noViews, sums));
  }
  return { playbacks, minutes, sums: [...minutes.values()].reduce(addViews, noViews) };
};

const count = (...heartbeats: readonly ReceivedHeartbeat[]): ViewSums => countPages([heartbeats]).sums;

describe('the rule of views', () => {
  it('counts 30 seconds, or half of a shorter film', () => {
    assert.equal(count(heartbeat({ watched: 29_999 })).plays, 0);
    assert.deepEqual([count(heartbeat()).plays, count(heartbeat()).viewers], [1, 1]);
    const short = { duration: 9 * second, position: 9 * second };
    assert.equal(count(heartbeat({ ...short, watched: 4_499 })).plays, 0);
    assert.equal(count(heartbeat({ ...short, watched: 4_500 })).plays, 1);
    assert.equal(count(heartbeat({ duration: 60 * second, watched: 29_999 })).plays, 0);
    assert.equal(count(heartbeat({ duration: 0 })).plays, 1, 'of unknown length');
  });

  it('counts strangers, and keeps no position of theirs', () => {
    const counted = countPage({ playbacks: [], viewers: [] }, [heartbeat({ viewerId: 'guest~1' })]);
    assert.deepEqual([counted.viewers.length, counted.positions], [1, []]);
    assert.equal(countPage({ playbacks: [], viewers: [] }, [heartbeat()]).positions.length, 1);
  });

  it('credits no more than the time that has passed', () => {
    const early = heartbeat({ receivedAt: start + 10 * second });
    assert.equal(count(early).watchedMilliseconds, 10 * second);
    const next = heartbeat({ sequence: 1, watched: 40 * second, receivedAt: start + 20 * second });
    assert.equal(count(early, next).watchedMilliseconds, 20 * second);
    const late = heartbeat({ sequence: 1, watched: 40 * second, receivedAt: start + 60 * second });
    assert.equal(count(heartbeat({ watched: 5 * second }), late).watchedMilliseconds, 40 * second);
    assert.equal(count(heartbeat({ receivedAt: start - hour })).watchedMilliseconds, 0, 'by a clock that was set back');
  });

  it('counts a viewer again after 24 hours, not a minute before', () => {
    const again = (minutes: number) =>
      heartbeat({
        ...{ sessionId: 's-2', issuedAt: start + 23 * hour },
        receivedAt: start + 30 * second + minutes * 60 * second,
      });
    const [before, after] = [again(24 * 60 - 1), again(24 * 60 + 1)].map((one) => count(heartbeat(), one));
    assert.deepEqual([before?.plays, before?.viewers], [2, 1]);
    assert.deepEqual([after?.plays, after?.viewers], [2, 2]);
  });

  it('counts everyone behind one address, and one playback once', () => {
    const people = Array.from({ length: 50 }, (_, index) =>
      heartbeat({ viewerId: `p-${index}`, sessionId: `s-${index}` }),
    );
    assert.deepEqual([count(...people).plays, count(...people).viewers], [50, 50]);
    const long = Array.from({ length: 4_000 }, (_, index) =>
      heartbeat({ sequence: index, receivedAt: start + (index + 1) * 30 * second }),
    );
    assert.deepEqual([count(...long).plays, count(...long).viewers, count(...long).playbacks], [1, 1, 1]);
  });

  it('leaves repeated and overtaken heartbeats in the shadow, and playbacks that claim too much', () => {
    const second1 = heartbeat({ sequence: 1, receivedAt: start + 60 * second });
    const sums = count(second1, second1, heartbeat({ receivedAt: start + 61 * second }));
    assert.deepEqual([sums.watchedMilliseconds, sums.shadowHeartbeats], [30 * second, 2]);
    const forged = Array.from({ length: 60 }, (_, index) =>
      heartbeat({ sequence: index, watched: 40 * second, receivedAt: start + (index + 1) * second }),
    );
    const claimed = count(...forged);
    assert.deepEqual([claimed.plays, claimed.viewers, claimed.shadowPlays], [0, 0, 1]);
    assert.ok(claimed.watchedMilliseconds + claimed.shadowMilliseconds <= 60 * second);
  });

  it('says how far playbacks got, each tenth once', () => {
    const reachedBy = (more: Partial<ReceivedHeartbeat>) =>
      count(heartbeat({ duration: 100 * second, ...more })).reached;
    assert.deepEqual(reachedBy({}), [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
    assert.deepEqual(reachedBy({ position: 95 * second, seeks: 1 }), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert.deepEqual(reachedBy({ position: 500 * second, seeks: 1 }), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    const twice = count(heartbeat(), heartbeat({ sequence: 1, receivedAt: start + hour }));
    assert.equal(twice.reached[0], 1);
  });

  it('begins a film again that was seen to its end', () => {
    assert.equal(resumePosition({ position: 590 * second, duration: 600 * second }), 0);
    assert.equal(resumePosition({ position: 500 * second, duration: 600 * second }), 500 * second);
    assert.equal(resumePosition({ position: 8 * second, duration: 10 * second }), 8 * second);
    assert.equal(resumePosition({ position: 8 * second, duration: 0 }), 8 * second);
  });

  /** Of few playbacks and viewers, over days, with clocks that jump and numbers that repeat. */
  const anyHeartbeats = fc
    .record({
      sessions: fc.array(
        fc.record({
          viewer: fc.integer({ min: 0, max: 2 }),
          issued: fc.integer({ min: 0, max: 50 * 3_600 }),
          duration: fc.constantFrom(0, 9, 59, 60, 600),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      steps: fc.array(
        fc.record({
          session: fc.nat(),
          sequence: fc.integer({ min: 0, max: 12 }),
          watched: fc.integer({ min: 0, max: 40 }),
          passed: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(-7_200, 3_600, 43_200, 86_340, 86_460)),
        }),
        { maxLength: 60 },
      ),
    })
    .map(({ sessions, steps }) => {
      let now = start;
      return steps.map(({ session, sequence, watched, passed }, index) => {
        now += passed * second;
        const number = session % sessions.length;
        const { viewer = 0, issued = 0, duration = 0 } = sessions[number] ?? {};
        return heartbeat({
          ...{ sessionId: `s-${number}`, viewerId: `p-${viewer}`, id: `${index}-0`, sequence, receivedAt: now },
          ...{ watched: watched * second, duration: duration * second, issuedAt: start + issued * second },
        });
      });
    });

  it('is that of the model', () =>
    fc.assert(
      fc.property(anyHeartbeats, (heartbeats) => {
        const { plays, viewers, watchedMilliseconds, shadowPlays, shadowHeartbeats } = count(...heartbeats);
        assert.deepEqual(
          { plays, viewers, watchedMilliseconds, shadowPlays, shadowHeartbeats },
          modelViews(heartbeats),
        );
      }),
      { numRuns: 500 },
    ));

  it('is the same in whichever pages heartbeats are read, and a second delivery of one adds nothing', () =>
    fc.assert(
      fc.property(
        anyHeartbeats,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 60, maxLength: 60 }),
        (all, sizes) => {
          const pages: (readonly ReceivedHeartbeat[])[] = [];
          for (let from = 0, page = 0; from < all.length; page += 1) {
            const size = sizes[page] ?? 1;
            pages.push(all.slice(from, from + size));
            from += size;
          }
          const whole = countPages([all]);
          const paged = countPages(pages);
          assert.deepEqual(paged.minutes, whole.minutes);
          assert.deepEqual([...paged.playbacks], [...whole.playbacks]);
          const doubled = count(...all.flatMap((one) => [one, one]));
          assert.deepEqual({ ...doubled, shadowHeartbeats: 0 }, { ...whole.sums, shadowHeartbeats: 0 });
          for (const { count: counted, sessionId } of whole.playbacks.values()) {
            const ofPlayback = all.filter((one) => one.sessionId === sessionId);
            const latest = Math.max(...ofPlayback.map(({ receivedAt, issuedAt }) => receivedAt - issuedAt), 0);
            assert.ok(counted.credited <= latest);
          }
        },
      ),
    ));
});
