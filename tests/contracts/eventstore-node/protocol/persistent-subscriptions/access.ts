/** Persistent subscriptions: the rights to manage groups, and to consume them. */
import assert from 'node:assert/strict';
import { PersistentSubscriptionsClient } from '@eventstore/db-client/generated/persistent_grpc_pb';
import { append } from '../harness/raw-calls';
import { appended, isFailed } from '../harness/replies';
import { givenUrl, type Server } from '../harness/server-under-test';
import { freshStream, proposed } from '../harness/stream-requests';
import { createMember, denied, type Member } from '../users/test-users';
import { stageOn, succeeded } from './harness/fixture';
import { type GroupCalls, groupCalls } from './harness/group-calls';
import { type Given, textsOf, tryConsume } from './harness/manual-consumer';
import type { GroupName } from './harness/requests';

const attempts: Readonly<Record<string, (calls: GroupCalls, name: GroupName) => Promise<object>>> = {
  create: (calls, name) => calls.create({ ...name, group: 'others' }),
  update: (calls, name) => calls.update(name),
  info: (calls, name) => calls.info(name),
  list: (calls) => calls.list('everything'),
  replay: (calls, name) => calls.replay(name),
  restart: (calls) => calls.restart(),
  remove: (calls, name) => calls.remove(name),
};

const streamOf = ({ event }: Given): string =>
  Buffer.from(event.getEvent()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();

/** A real node checks the right once, when a consumer connects. */
const here = givenUrl === undefined ? it : it.skip;

export const persistentAccessContract = (server: Server): void => {
  const stage = stageOn(server);
  const as = (authorization: string) => server.stub(PersistentSubscriptionsClient, authorization);
  const ofMember = (member: Member) => as(member.authorization);
  const setAcl = async (stream: string, $acl: object): Promise<void> => {
    const event = proposed({ type: '$metadata', data: Buffer.from(JSON.stringify({ $acl })) });
    appended(await append(server.raw(), { stream: `$$${stream}`, events: [event] }));
  };

  // Passwords are slow to keep: one member serves all tests.
  let known: Promise<Member> | undefined;
  const someMember = (): Promise<Member> => (known ??= createMember(server, ['readers']));

  it('lets administrators and operators manage groups', async () => {
    const calls = groupCalls(ofMember(await createMember(server, ['$ops'])));
    const name = await stage.group();
    for (const attempt of Object.values(attempts)) {
      succeeded(await attempt(calls, name));
      // A restart takes its time.
      while (isFailed(await stage.calls().list('everything')));
    }
  });

  for (const [what, attempt] of Object.entries(attempts))
    it(`refuses ${what} to others and to the unknown`, async () => {
      const name = await stage.group();
      const member = await someMember();
      for (const client of [ofMember(member), as('')])
        assert.deepEqual(await attempt(groupCalls(client), name), denied);
    });

  it('gives events to those who may read the stream', async () => {
    const name = await stage.group({}, 1);
    const member = await someMember();
    const consumer = succeeded(await tryConsume(ofMember(member), name));
    const [connection] = (await stage.info(name)).getConnectionsList();
    assert.equal(connection?.getUsername(), member.login);
    assert.deepEqual(textsOf(await consumer.take(1)), ['event 0']);
    consumer.cancel();
  });

  it('refuses consumers who may not read the stream, and $all to all but administrators', async () => {
    const name = await stage.group({}, 1);
    const member = await someMember();
    assert.deepEqual(await tryConsume(as(''), name), denied);
    await setAcl(name.stream, { $r: '$admins' });
    assert.deepEqual(await tryConsume(ofMember(member), name), denied);
    const onAll = { group: freshStream('group') };
    succeeded(await stage.calls().create(onAll, { from: 'end' }));
    assert.deepEqual(await tryConsume(ofMember(member), onAll), denied);
    succeeded(await stage.calls().remove(onAll));
  });

  here('gives one who may read $all nothing of the streams of the system', async () => {
    const member = await someMember();
    await setAcl('$all', { $r: ['$admins', member.login] });
    const onAll = { group: freshStream('group') };
    succeeded(await stage.calls().create(onAll, { from: 'end' }));
    const consumer = succeeded(await tryConsume(ofMember(member), onAll));
    // A user is written to streams of the system.
    await createMember(server);
    const { stream } = await stage.group({}, 1);
    const seen: string[] = [];
    while (!seen.includes(stream)) {
      const [given] = await consumer.take(1);
      seen.push(given === undefined ? '' : streamOf(given));
    }
    assert.deepEqual(
      seen.filter((name) => /^\$(?!\$)|^\$\$\$user/.test(name)),
      [],
    );
    consumer.cancel();
    succeeded(await stage.calls().remove(onAll));
    await setAcl('$all', { $r: '$admins' });
  });

  here('follows no link into a stream that the consumer may not read', async () => {
    const { stream: target } = await stage.group({}, 1);
    await setAcl(target, { $r: '$admins' });
    const name = await stage.group({ resolveLinks: true });
    await stage.append(name.stream, [proposed({ type: '$>', data: Buffer.from(`0@${target}`) })]);
    const consumer = succeeded(await tryConsume(ofMember(await someMember()), name));
    assert.deepEqual(textsOf(await consumer.take(1)), ['event - by link 0']);
    consumer.cancel();
  });

  here('ends a consumer that may not read the stream any more', async () => {
    const member = await someMember();
    const name = await stage.group({}, 1);
    const consumer = succeeded(await tryConsume(ofMember(member), name));
    await consumer.take(1);
    await setAcl(name.stream, { $r: '$admins' });
    await stage.append(name.stream, 1);
    assert.deepEqual(await consumer.ended(), denied);
  });
};
