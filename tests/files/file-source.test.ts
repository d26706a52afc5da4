/** Checks of access and the commands that follow them share one folded state of a stream. */
import assert from 'node:assert/strict';
import { fileSourceOf } from '../../commands/files/file-source';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../commands/kernel/exclusive-aggregates';
import { handle } from '../../commands/kernel/handle';
import { fileAccessRules } from '../../domain/files/access/decider';
import { fileAccessStream } from '../../domain/files/access/events';
import type { FileId } from '../../domain/files/ids';
import type { Instant } from '../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../domain/kernel/ids';
import { openMemoryEventStore } from '../../infra/adapters/eventstore/memory-event-store';
import type { EventStore } from '../../infra/ports/event-store';
import { readFileAccess } from '../../infra/server/files/file-access';
import { expectRight } from '../support/domain/expect-right';

const noon = '2026-01-31T12:00:00.000Z' as Instant;

describe('checks of files on the write side', () => {
  it('fold what commands have not folded, and nothing again', async () => {
    const memory = openMemoryEventStore();
    const reads: (number | undefined)[] = [];
    const store: EventStore = {
      ...memory,
      read: (stream, from, ...rest) => {
        reads.push(from);
        return memory.read(stream, from, ...rest);
      },
    };
    const warm = createExclusiveAggregates();
    const [tenant, by] = ['acme' as TenantId, 'ada' as PrincipalId];
    const hide = async (id: string) => {
      const command = { type: 'HideFile', fileId: id as FileId, reason: 'quarantined' } as const;
      const deps = { store, warm, clock: { now: () => noon }, commandMetrics: noCommandMetrics };
      expectRight(
        await handle(deps, fileAccessRules, {
          stream: fileAccessStream(tenant),
          command,
          tenant,
          actor: by,
          commandId: `c-${id}`,
          correlationId: `c-${id}`,
        }),
      );
    };
    await hide('one');
    const { files } = expectRight(await readFileAccess(fileSourceOf({ store, warm }), tenant));
    await hide('two');
    assert.equal(files.size, 1);
    // The whole stream, once; then what follows the first event.
    assert.deepEqual(reads, [0, 1]);
  });
});
