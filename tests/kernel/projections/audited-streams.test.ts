/** Audits can fold every stream that the system writes: of every event family, every aggregate and every process. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { contexts } from '../../../domain/contexts';
import { runImportOnStarted } from '../../../domain/geo/run-import-on-started/process';
import type { DomainEvent, Family } from '../../../domain/kernel/family';
import { processEvents } from '../../../domain/kernel/process-events';
import { aggregates } from '../../../projections/composition/aggregates';
import { createAuditor } from '../../../projections/kernel/audit-log';

const root = join(__dirname, '..', '..', '..');

const sourcesIn = (directory: string): readonly string[] =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${directory}/${path}`)
    .sort();

const isFamily = (value: unknown): value is Family<DomainEvent> =>
  typeof value === 'object' && value !== null && 'storedTypes' in value && 'decode' in value && 'codecs' in value;

/** Every family that a file of the domain exports, also as a part of a process. */
const families = sourcesIn('domain').flatMap((path) =>
  Object.values(require(join(root, path)) as object).flatMap((value: unknown) => {
    const parts: readonly unknown[] =
      typeof value === 'object' && value !== null && 'stateEvents' in value ? [value.stateEvents] : [value];
    return parts.filter(isFamily);
  }),
);

describe('audited streams', () => {
  it('are those of every event family', () => {
    const contextsOfFamilies = new Set(families.map(({ context }) => context));
    assert.deepEqual(
      contexts.filter(({ name }) => !contextsOfFamilies.has(name)).map(({ name }) => name),
      [],
    );
    const audited = new Set(aggregates.flatMap(({ storedTypes }) => storedTypes));
    const written = families.flatMap(({ storedTypes }) => storedTypes);
    assert.ok(written.length > 100, `${written.length} types`);
    assert.deepEqual(
      written.filter((type) => !audited.has(type)),
      [],
    );
  });

  it('are named by the declarations of aggregates alone', () => {
    // A command's target is named by its category.
    const kernel = new Set([
      'domain/kernel/family.ts',
      'domain/kernel/ids.ts',
      'commands/kernel/processes/send-command.ts',
    ]);
    const named = ['domain', 'commands', 'projections', 'infra', 'read-api']
      .flatMap(sourcesIn)
      .filter((path) => !kernel.has(path) && readFileSync(join(root, path), 'utf8').includes('streamName('));
    assert.deepEqual(named, []);
  });

  it('hold what a process did, and its refusals', () => {
    const { encode } = processEvents;
    const metadata = {
      $correlationId: 'c-1',
      $causationId: 'c-1',
      commandId: 'c-1',
      commandHash: '-',
      tenant: 'acme',
      actor: 'system:run-import-on-started',
      at: '2026-01-31T12:00:00.000Z',
    };
    const work = { kind: 'work', queue: 'geo-imports', payload: { importId: 'i-1' } } as const;
    const events = [
      encode({ type: 'Reacted', data: { eventId: 'e-1', eventType: 'ImportStarted', actions: [work] } }),
      encode({
        type: 'CommandRefused',
        data: { eventId: 'e-1', commandId: 'c-2', to: 'geo.import', id: 'i-1', code: 'import-unknown', detail: '' },
      }),
    ];
    const audit = createAuditor(aggregates);
    const stream = `geo.runImportOnStarted-acme.i-1`;
    for (const [revision, event] of events.entries()) {
      const stored = { ...event, id: `e-${revision}`, stream, revision, position: BigInt(revision), metadata };
      const step = audit(stored as never);
      if (isLeft(step)) assert.fail(step.left.reason);
      assert.equal(step.right.after, runImportOnStarted.initial);
    }
  });
});
