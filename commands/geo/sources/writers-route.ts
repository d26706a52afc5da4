/** PUT /v1/places/sources/{source}/writers: the writers of a source. */
import { right } from 'fp-ts/Either';
import { SourceName } from '../../../domain/geo/place/place';
import { source } from '../../../domain/geo/source/decider';
import { SourceWriters, sourceStream } from '../../../domain/geo/source/events';
import { record } from '../../../domain/kernel/codec';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';

export const setSourceWriters = commandRoute<CommandDeps>()({
  method: 'put',
  path: '/v1/places/sources/:source/writers',
  operation: 'setSourceWriters',
  summary: 'Reserve a source of places for some principals, or open it',
  description:
    'Only `writers` may then send changes and files as the source. An empty list opens it to every caller with `places:write`, as sources are at first.',
  scopes: ['sources:write'],
  sensitive: true,
  params: record('SourcePath', { source: SourceName }),
  body: record('SourceReservation', { writers: SourceWriters }),
  answer: record('SourceReservationAnswer', { source: SourceName, writers: SourceWriters }),
  decider: source,
  problems: {},
  prepare: ({ params: { source: name }, body: { writers }, tenantId }) =>
    right({
      stream: sourceStream(tenantId, name),
      command: { type: 'SetSourceWriters' as const, source: name, writers },
      answer: { source: name, writers },
    }),
});
