/** Access lists: a stream's own, and that of `$all`. */
import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { append, follow, read, softDelete } from '../harness/raw-calls';
import { appended, eventsOf, followedTexts, textsOf } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, proposed, several } from '../harness/stream-requests';
import { assertAllowed, createMember, denied, type Member } from './test-users';

type Attempt = (member: Member, stream: string) => Promise<object>;

/** By the access list's key. */
const attempts: Readonly<Record<string, Attempt>> = {
  $r: async ({ raw }, stream) => (await read(raw, { stream, count: 1 })).failed ?? {},
  $w: ({ raw }, stream) => append(raw, { stream, events: several(1) }),
  $mr: async ({ raw }, stream) => (await read(raw, { stream: `$$${stream}`, count: 1 })).failed ?? {},
  $d: ({ raw }, stream) => softDelete(raw, stream),
};

export const accessListsContract = (server: Server): void => {
  const setMetadata = async (stream: string, metadata: object): Promise<void> => {
    const event = proposed({ type: '$metadata', data: Buffer.from(JSON.stringify(metadata)) });
    appended(await append(server.raw(), { stream: `$$${stream}`, events: [event] }));
  };
  const streamWith = async ($acl: object): Promise<string> => {
    const stream = freshStream('listed');
    appended(await append(server.raw(), { stream, events: several(1) }));
    await setMetadata(stream, { $acl });
    return stream;
  };

  for (const [key, attempt] of Object.entries(attempts))
    it(`obeys ${key}: a login, a group, everybody, nobody`, async () => {
      const member = await createMember(server, ['readers']);
      for (const roles of [member.login, ['others', 'readers'], '$all'])
        assertAllowed(await attempt(member, await streamWith({ [key]: roles })));
      for (const roles of ['$admins', [], ['others']])
        assert.deepEqual(await attempt(member, await streamWith({ [key]: roles })), denied);
      // The other actions are as without a list.
      for (const [other, otherAttempt] of Object.entries(attempts))
        if (other !== key) assertAllowed(await otherAttempt(member, await streamWith({ [key]: [] })));
    });

  it('obeys $mw', async () => {
    const member = await createMember(server);
    const write = async (roles: string) =>
      append(member.raw, { stream: `$$${await streamWith({ $mw: roles })}`, events: several(1) });
    assertAllowed(await write(member.login));
    assert.deepEqual(await write('$admins'), denied);
  });

  it('takes a list that is none for no metadata at all', async () => {
    const member = await createMember(server);
    for (const $acl of [{ $r: 7 }, { $r: [7] }, 'secret', []]) {
      const stream = await streamWith($acl as object);
      assert.deepEqual(textsOf(await read(member.raw, { stream, count: 1 })), ['event 0', 'last 0']);
    }
  });

  it('follows no link into a stream that the caller may not read', async () => {
    const member = await createMember(server);
    const target = await streamWith({ $r: '$admins' });
    const stream = freshStream('links');
    const link = proposed({ type: '$>', data: Buffer.from(`0@${target}`) });
    appended(await append(server.raw(), { stream, events: [link] }));
    const by = { stream, count: 1, resolveLinks: true };
    assert.deepEqual(textsOf(await read(server.raw(), by)), ['event 0 by link 0', 'last 0']);
    assert.deepEqual(textsOf(await read(member.raw, by)), ['event - by link 0', 'last 0']);
  });

  it('ends a subscription with the next event once it may not be read any more', async () => {
    const member = await createMember(server);
    const stream = await streamWith({ $r: member.login });
    const following = follow(member.raw, { stream });
    assert.deepEqual(await followedTexts(following, 3), ['confirmation', 'event 0', 'caught up']);
    await setMetadata(stream, { $acl: { $r: '$admins' } });
    appended(await append(server.raw(), { stream, events: several(1) }));
    assert.deepEqual(await followedTexts(following, 1), [`failed with ${status.PERMISSION_DENIED}: Access Denied`]);
  });

  it('opens the log by the list of $all, without the streams of the system', async () => {
    const member = await createMember(server);
    await setMetadata('$all', { $acl: { $r: ['$admins', member.login] } });
    const stream = freshStream('seen');
    appended(await append(server.raw(), { stream, events: several(1) }));
    const seen = eventsOf(await read(member.raw, { count: 1_000_000 })).map((event) =>
      Buffer.from(event.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
    );
    assert.ok(seen.includes(stream));
    assert.deepEqual(
      // Everybody may see how long a group's checkpoints are kept.
      seen.filter((name) => /^\$(?!\$)|^\$\$\$(?!persistentsubscription-)/.test(name)),
      [],
    );
    assert.deepEqual(await append(member.raw, { stream: '$all', events: several(1) }), denied);
  });
};
