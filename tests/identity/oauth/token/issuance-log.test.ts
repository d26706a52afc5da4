import assert from 'node:assert/strict';
import { isLeft, isRight, left } from 'fp-ts/Either';
import { openIssuanceLog, type RecordResult } from '../../../../commands/identity/oauth/token/issuance-log';
import type { Instant } from '../../../../domain/kernel/codec';
import type { TenantId } from '../../../../domain/kernel/ids';
import { fault } from '../../../../domain/kernel/rejection';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import type { EventStore } from '../../../../infra/ports/event-store';
import { deferred } from '../../../support/waiting/deferred';
import { noon, tenantId } from '../../examples';
import { token } from '../../projections/rows';

/** A log whose appends wait until the test releases them, one after the other. */
const slowLog = () => {
  const store = openMemoryEventStore();
  const appends: { readonly stream: string; readonly size: number; readonly go: (fails?: boolean) => void }[] = [];
  const append: EventStore['append'] = async (stream, expected, events) => {
    const gate = deferred();
    const outcome = { fails: false };
    const go = (fails = false): void => {
      outcome.fails = fails;
      gate.resolve();
    };
    appends.push({ stream, size: events.length, go });
    await gate.promise;
    return outcome.fails
      ? left(fault('event-store-unavailable', 'It is away.'))
      : store.append(stream, expected, events);
  };
  return { ...store, append, appends };
};

const stream = 'identity.issuance-acme.2026013112';
const occasion = { tenantId, at: noon, requestId: 'request-1' };
const numbered = (index: number) => ({
  ...token,
  data: { ...token.data, sourceIp: null, jti: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}` },
});

/** Lets everything happen that can. */
const turn = (): Promise<unknown> => new Promise(setImmediate);

describe('the log of issuances', () => {
  const begin = (count: number, log = slowLog()) => {
    const issuances = openIssuanceLog(log);
    const answers = Array.from({ length: count }, (_, index) => issuances.record(numbered(index), occasion));
    return { log, issuances, answers };
  };
  const settled = async (promise: Promise<RecordResult>): Promise<boolean> => {
    const later = new Promise<'later'>((resolve) => setImmediate(() => resolve('later')));
    return (await Promise.race([promise, later])) !== 'later';
  };

  it('does not delay a single issuance', () => assert.equal(begin(1).log.appends.length, 1));

  it('writes together what comes in meanwhile, and answers when it is written', async () => {
    const { log, answers } = begin(50);
    assert.deepEqual(
      log.appends.map(({ size }) => size),
      [1],
    );
    assert.equal(await settled(answers[0] as Promise<RecordResult>), false);
    log.appends[0]?.go();
    assert.ok(isRight(await (answers[0] as Promise<RecordResult>)));
    assert.equal(await settled(answers[1] as Promise<RecordResult>), false);
    assert.deepEqual(
      log.appends.map(({ size }) => size),
      [1, 49],
    );
    log.appends[1]?.go();
    assert.ok((await Promise.all(answers)).every(isRight));
    const written = await log.read(stream);
    assert.ok(isRight(written));
    assert.equal(new Set(written.right.map(({ id }) => id)).size, 50);
  });

  it('keeps to what the log takes at once', async () => {
    const { log, answers } = begin(450);
    for (let index = 0; index < 4; index += 1) {
      log.appends[index]?.go();
      await turn();
    }
    await Promise.all(answers);
    assert.deepEqual(
      log.appends.map(({ size }) => size),
      [1, 200, 200, 49],
    );
  });

  it('answers everybody of a batch that failed, and goes on', async () => {
    const { log, issuances, answers } = begin(3);
    log.appends[0]?.go();
    await turn();
    log.appends[1]?.go(true);
    const [, ...failed] = await Promise.all(answers);
    assert.ok(failed.every(isLeft));
    const next = issuances.record(numbered(9), occasion);
    log.appends[2]?.go();
    assert.ok(isRight(await next));
  });

  it('tells everybody of a defect, and goes on', async () => {
    const { log, issuances, answers } = begin(2);
    log.appends[0]?.go();
    await turn();
    Object.assign(log, { append: async () => Promise.reject(new Error('a defect')) });
    log.appends[1]?.go();
    await answers[1];
    await assert.rejects(issuances.record(numbered(3), occasion), /a defect/);
    await assert.rejects(issuances.record(numbered(4), occasion), /a defect/);
  });

  it('lets no tenant wait for another', async () => {
    const { log, issuances, answers } = begin(1);
    const other = issuances.record(numbered(1), { ...occasion, tenantId: 'other' as TenantId });
    const late = issuances.record(numbered(2), { ...occasion, at: '2026-01-31T13:00:00.000Z' as Instant });
    assert.deepEqual(
      log.appends.map((one) => one.stream),
      [stream, stream.replace('acme', 'other'), stream.replace(/12$/, '13')],
    );
    for (const { go } of log.appends) go();
    await Promise.all([...answers, other, late]);
  });
});
