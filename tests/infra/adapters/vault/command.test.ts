/** A command with something personal in it, from its recording to long after its forgetting. */
import assert from 'node:assert/strict';
import { type Either, isLeft, isRight, right } from 'fp-ts/Either';
import { noCommandMetrics } from '../../../../commands/kernel/command-metrics';
import { handle } from '../../../../commands/kernel/handle';
import type { HandleRequest } from '../../../../commands/kernel/handle-request';
import type { Instant } from '../../../../domain/kernel/codec';
import type { Decider } from '../../../../domain/kernel/decider';
import type { TenantId } from '../../../../domain/kernel/ids';
import type { Rejection } from '../../../../domain/kernel/rejection';
import { isForgotten } from '../../../../domain/kernel/secret';
import { joined, type MemberEvent, memberStream, members, nameOf } from '../../../support/domain/personal-context';
import { useForgetting } from './forget-fixture';

type Join = { readonly name: string };

const member: Decider<Join, string | null, MemberEvent, never> = {
  family: members,
  initial: null,
  evolve: nameOf,
  decide: ({ name }, state): Either<Rejection<never>, readonly MemberEvent[]> =>
    right(state === name ? [] : [joined('m-1', name)]),
};

describe('a command with a secret', () => {
  const { stage, forget, keysOf } = useForgetting();
  const request = (commandId: string, name: string): HandleRequest<Join> => ({
    stream: memberStream('m-1'),
    command: { name },
    commandId,
    tenant: 'acme' as TenantId,
    actor: 'p-1',
    correlationId: 'r-1',
  });
  const handled = (commandId: string, name: string) =>
    handle(
      {
        store: stage.store,
        commandMetrics: noCommandMetrics,
        clock: { now: () => '2026-01-31T12:00:00.000Z' as Instant },
      },
      member,
      request(commandId, name),
    );
  const accepted = async (commandId: string, name: string) => {
    const outcome = await handled(commandId, name);
    assert.ok(isRight(outcome), 'the command is accepted');
    return outcome.right;
  };

  it('is answered once and the same, and another one under its name is refused', async () => {
    const first = await accepted('c-1', 'Ada');
    const again = await accepted('c-1', 'Ada');
    assert.deepEqual([again.repeated, again.revision, again.position], [true, first.revision, first.position]);
    const other = await handled('c-1', 'Eve');
    assert.ok(isLeft(other) && other.left.code === 'idempotency-key-reused');
  });

  it('is known as itself after it was forgotten, though not by what it said', async () => {
    const first = await accepted('c-1', 'Ada');
    await forget({ subject: 'm-1', reason: 'asked-for' });
    const again = await accepted('c-1', 'Ada');
    assert.deepEqual([again.repeated, again.revision], [true, first.revision]);
  });

  it('decides on what is forgotten, and keeps what is new', async () => {
    await accepted('c-1', 'Ada');
    await forget({ subject: 'm-1', reason: 'asked-for' });
    const { events, revision } = await accepted('c-2', 'Ada');
    assert.deepEqual([events.length, revision], [1, 1]);
    assert.equal(isForgotten(events[0]?.data), false);
    assert.equal((await keysOf('m-1')).length, 1);
  });

  it('fails with a clear fault while the vault is away', async () => {
    stage.broken = 'everything';
    const outcome = await handled('c-1', 'Ada');
    assert.ok(isLeft(outcome) && outcome.left.code === 'vault-unavailable');
  });
});
