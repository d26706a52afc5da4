/** Link events: `$>` with data `N@stream` resolves to another event if the reader requests it. */
import assert from 'node:assert/strict';
import { append, read, softDelete, tombstone } from '../harness/raw-calls';
import { eventsOf, textsOf } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, proposed, several } from '../harness/stream-requests';

export const linksContract = ({ raw }: Server): void => {
  const linkTo = async (...targets: readonly string[]): Promise<string> => {
    const stream = freshStream('links');
    const events = targets.map((target) => proposed({ type: '$>', data: Buffer.from(target) }));
    await append(raw(), { stream, events });
    return stream;
  };
  const target = async (count = 3): Promise<string> => {
    const stream = freshStream('target');
    await append(raw(), { stream, events: several(count) });
    return stream;
  };
  const resolved = async (stream: string): Promise<readonly string[]> =>
    textsOf(await read(raw(), { stream, count: 10, resolveLinks: true }));

  it('answers the target with the link beside it, at the link position', async () => {
    const links = await linkTo(`2@${await target()}`);
    assert.deepEqual(await resolved(links), ['event 2 by link 0', 'last 0']);
    const { replies } = await read(raw(), { stream: links, count: 1, resolveLinks: true });
    const event = replies[0]?.getEvent();
    assert.equal(event?.getCommitPosition(), event?.getLink()?.getCommitPosition());
  });

  it('answers the link itself when links are not to be resolved', async () => {
    const links = await linkTo(`2@${await target()}`);
    assert.deepEqual(textsOf(await read(raw(), { stream: links, count: 1 })), ['event 0', 'last 0']);
  });

  it('answers the link alone when its target is missing, hidden or ended', async () => {
    const [hidden, ended] = [await target(), await target()];
    await softDelete(raw(), hidden);
    await tombstone(raw(), ended);
    const links = await linkTo(`0@${freshStream('none')}`, `9@${await target()}`, `0@${hidden}`, `0@${ended}`);
    assert.deepEqual(
      await resolved(links),
      [0, 1, 2, 3].map((revision) => `event - by link ${revision}`).concat('last 3'),
    );
  });

  it('answers data that names no event unresolved', async () => {
    const links = await linkTo('nonsense', '@x', 'x@y', '-1@y', '');
    assert.deepEqual(await resolved(links), ['event 0', 'event 1', 'event 2', 'event 3', 'event 4', 'last 4']);
  });

  it('resolves one level only', async () => {
    const inner = await linkTo(`1@${await target()}`);
    const outer = await linkTo(`0@${inner}`);
    const { replies } = await read(raw(), { stream: outer, count: 1, resolveLinks: true });
    const event = replies[0]?.getEvent()?.getEvent();
    assert.equal(event?.getMetadataMap().get('type'), '$>');
    assert.equal(Buffer.from(event.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(), inner);
  });

  it('resolves in $all, and names a stream with an at sign whole', async () => {
    const stream = `${freshStream('target')}@home`;
    await append(raw(), { stream, events: several(2) });
    const links = await linkTo(`1@${stream}`);
    const position = eventsOf(await read(raw(), { stream: links, count: 1 }))[0]?.getCommitPosition() ?? '';
    const answer = await read(raw(), { from: BigInt(position), count: 1, resolveLinks: true });
    assert.deepEqual(textsOf(answer), ['event 1 by link 0']);
  });
};
