/** Histories of aggregates for tests of the read side, as recorded events. */
import type { DomainEvent, Family } from '../../../domain/kernel/family';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { noon } from '../examples';

export const ids = {
  session: 'ab'.repeat(32),
  grant: 'g-1',
  family: 'f-1',
  application: 'a-1',
  secret: 's-1',
  kid: 'k'.repeat(43),
  incident: 'i-1',
};
/** Whatever must not be shown. */
export const hashes = ['cd'.repeat(32), 'ef'.repeat(32)] as const;

interface Line {
  readonly type: string;
  readonly data: object;
}

export interface Story<Event extends DomainEvent> {
  readonly family: Family<Event>;
  readonly stream: (tenant: string) => string;
  readonly lines: readonly Line[];
}

export const story = <Event extends DomainEvent>(typed: Story<Event>): Story<DomainEvent> =>
  typed as unknown as Story<DomainEvent>;

const tenantOf = (stream: string): string => /-([a-z0-9-]+)\./.exec(stream)?.[1] ?? '';

/** The first so many events of a story, as the log would hold them. */
export const eventsOfStory = (
  { family: of, stream, lines }: Story<DomainEvent>,
  count = lines.length,
  tenant = 'acme',
): readonly StoredEvent[] =>
  lines.slice(0, count).map((line, index) => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    stream: stream(tenant),
    revision: index,
    position: BigInt(index + 1) * 100n,
    ...of.encode(line as DomainEvent),
    metadata: {
      $correlationId: 'c',
      $causationId: 'c',
      commandId: `k-${index}`,
      commandHash: 'h',
      tenant: tenantOf(stream(tenant)),
      actor: 'p-admin',
      at: noon,
    },
  }));
