/** An encoding in groups: each counts once, in any order, and it is done when all are there. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import { fold } from '../../domain/kernel/decider';
import { type EncodingCommand, encoding } from '../../domain/video/encoding/decider';
import type { EncodingEvent } from '../../domain/video/encoding/events';
import type { VideoId } from '../../domain/video/ids';
import { given } from '../kernel/domain/given-when-then';

const named = { videoId: 'v-1' as VideoId, generation: 1 };
const renditions = [{ resolution: '360p', codec: 'h264' }] as const;
const planned: EncodingEvent = { type: 'EncodingPlanned', data: { ...named, renditions, groupCount: 2 } };
const plan = { type: 'PlanEncoding', ...named, renditions, groupCount: 2 } as const;
const digest = (group: number, worker = 0): string => `${group}${worker}`.padEnd(64, '0');
const record = (group: number, worker = 0): EncodingCommand => ({
  ...{ type: 'RecordGroup', ...named, group, tracks: [digest(group, worker)] },
});
const encoded = (group: number): EncodingEvent => ({
  type: 'GroupEncoded',
  data: { ...named, group, tracks: [digest(group)] },
});
const completed: EncodingEvent = { type: 'EncodingCompleted', data: { ...named, renditions } };

describe('an encoding', () => {
  it('is planned once; planned again it goes on with what is missing', () => {
    given(encoding).when(plan).then(planned);
    given(encoding, planned, encoded(1))
      .when(plan)
      .then({ type: 'EncodingResumed', data: { ...named, renditions, groups: [0] } });
    given(encoding, planned, encoded(0), encoded(1), completed).when(plan).then(completed);
  });

  it('takes the first of two that encoded a group, and none that it has not', () => {
    given(encoding, planned).when(record(0)).then(encoded(0));
    given(encoding, planned, encoded(0)).when(record(0, 1)).thenNothing();
    given(encoding, planned).when(record(2)).thenNothing();
    given(encoding, planned)
      .when({ ...record(0), tracks: [] } as EncodingCommand)
      .thenNothing();
    given(encoding).when(record(0)).rejects('encoding-unknown');
  });

  it('is completed once, with the last group, in whichever order they come', () => {
    const groups = fc.integer({ min: 1, max: 12 });
    const orders = groups.chain((count) =>
      fc.tuple(fc.constant(count), fc.array(fc.tuple(fc.nat(count - 1), fc.nat(2)), { maxLength: 60 })),
    );
    fc.assert(
      fc.property(orders, ([groupCount, recorded]) => {
        let events: readonly EncodingEvent[] = [];
        const send = (command: EncodingCommand): void => {
          const decision = encoding.decide(command, fold(encoding, encoding.initial, events));
          assert.ok(isRight(decision));
          events = events.concat(decision.right);
        };
        send({ ...plan, groupCount });
        const seen = new Set<number>();
        for (const [group, worker] of recorded) {
          send(record(group, worker));
          seen.add(group);
          const count = (type: EncodingEvent['type']) => events.filter((event) => event.type === type).length;
          assert.equal(count('GroupEncoded'), seen.size);
          assert.equal(count('EncodingCompleted'), seen.size === groupCount ? 1 : 0);
        }
      }),
    );
  });
});
