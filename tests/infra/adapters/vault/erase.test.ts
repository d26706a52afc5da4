/** How every process follows erasures that the log records. */
import assert from 'node:assert/strict';
import { createExclusiveAggregates } from '../../../../commands/kernel/exclusive-aggregates';
import { type EraseKeysDeps, runKeyErasure } from '../../../../commands/privacy/erase-keys';
import { forgotten } from '../../../../domain/kernel/secret';
import { expectRight } from '../../../support/domain/expect-right';
import { joined, recordMember } from '../../../support/domain/personal-context';
import { eventually } from '../../../support/waiting/eventually';
import { recordingLog } from '../../../support/waiting/recording-log';
import { forgetRequest, useForgetting } from './forget-fixture';

describe('keys of the forgotten', () => {
  const { stage, forget, nameIn, keysOf } = useForgetting();

  /** Another process, for as long as the work takes. */
  const whileErasing = async (deps: EraseKeysDeps, work: (log: ReturnType<typeof recordingLog>) => Promise<void>) => {
    const ending = new AbortController();
    const log = recordingLog();
    const erasing = runKeyErasure({ ...deps, log, signal: ending.signal });
    try {
      await work(log);
    } finally {
      ending.abort();
      await erasing;
    }
  };

  it('are erased in the end when it was recorded and not done', async () => {
    const stream = await recordMember(stage.store, joined('m-1', 'Ada'));
    stage.broken = 'erasing';
    assert.equal((await forget(forgetRequest)).status, 503);
    assert.equal((await keysOf('m-1')).length, 1);
    await whileErasing(stage, async ({ lines }) => {
      await eventually(async () => assert.ok(lines.some(({ level }) => level === 'warn')));
      stage.broken = 'nothing';
      await eventually(async () => assert.deepEqual(await keysOf('m-1'), []));
    });
    assert.deepEqual(await nameIn(stream), forgotten);
  });

  it('are let go by every process at once, and with them the state that was made of what they opened', async () => {
    const dropped: string[] = [];
    let cleared = 0;
    const clear = (): void => {
      cleared += 1;
    };
    const vault = { ...stage.vault, drop: (ids: readonly string[]) => void dropped.push(...ids) };
    await recordMember(stage.store, joined('m-1', 'Ada'));
    const held = await keysOf('m-1');
    await whileErasing({ store: stage.store, vault, warm: { ...createExclusiveAggregates(), clear } }, async () => {
      await forget(forgetRequest);
      await eventually(async () => assert.deepEqual([dropped, cleared], [held, 1]));
    });
  });

  it('are erased again in a vault that was restored to before the forgetting, and no others', async () => {
    const stream = await recordMember(stage.store, joined('m-1', 'Ada'));
    stage.broken = 'erasing';
    await forget(forgetRequest);
    stage.broken = 'nothing';
    const later = await recordMember(stage.store, joined('m-2', 'Grace'));
    await whileErasing(stage, () => eventually(async () => assert.deepEqual(await keysOf('m-1'), [])));
    const again = await recordMember(stage.store, joined('m-1', 'Ada again'));
    await whileErasing(stage, () => eventually(async () => assert.equal((await keysOf('m-1')).length, 1)));
    assert.equal(again, stream);
    assert.deepEqual([await nameIn(stream), await nameIn(later)], [forgotten, 'Grace']);
  });

  it('are erased at a start only where no process had erased them before, also once the log was replaced', async () => {
    await recordMember(stage.store, joined('m-1', 'Ada'));
    await recordMember(stage.store, joined('m-2', 'Grace'));
    stage.broken = 'erasing';
    for (const subject of ['m-1', 'm-2']) await forget({ ...forgetRequest, subject });
    stage.broken = 'nothing';
    const erased: string[][] = [];
    const vault: typeof stage.vault = {
      ...stage.vault,
      erase: (ids) => {
        erased.push([...ids]);
        return stage.vault.erase(ids);
      },
    };
    const head = async (): Promise<bigint | null> => expectRight(await stage.log.head());
    const isErasedTo = async (position: bigint | null) =>
      assert.equal(expectRight(await vault.erasedTo(stage.log.head)), position);
    const restart = async (): Promise<void> => {
      erased.length = 0;
      await whileErasing({ store: stage.store, vault }, async () => {
        const last = await head();
        await eventually(() => isErasedTo(last));
      });
    };
    await restart();
    assert.equal(erased.flat().length, 2);
    await recordMember(stage.store, joined('m-3', 'Alan'));
    stage.broken = 'erasing';
    await forget({ ...forgetRequest, subject: 'm-3' });
    stage.broken = 'nothing';
    const [third] = await keysOf('m-3');
    await restart();
    assert.deepEqual(erased.flat(), [third]);
    expectRight(await vault.recordErasedTo(((await head()) ?? 0n) + 1n));
    await restart();
    assert.equal(erased.flat().length, 3);
  });
});
