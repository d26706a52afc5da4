import { right } from 'fp-ts/Either';
import { parseStreamName } from '../../../domain/kernel/ids';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { type ProjectionSource, projection } from '../../kernel/projection';
import type { Change } from '../../kernel/view';
import { idIn, isNamed, metadataOf, tenantOf } from '../stored-event-fields';
import { type PlatformStreamRow, platformStreamsView } from './view';

const rowOf = (stored: StoredEvent): PlatformStreamRow => {
  const { stream, revision, position, type } = stored;
  const { context = '', aggregate = '', id = '' } = parseStreamName(stream) ?? {};
  const at = metadataOf(stored).at ?? null;
  const names = { tenantId: tenantOf(stream), stream, context, aggregate, id };
  const last = { revision, lastAt: at, lastType: type, lastPosition: String(position) };
  const named = { principalId: idIn(stored, 'principalId'), clientId: idIn(stored, 'clientId') };
  return { ...names, ...named, firstRevision: revision, firstAt: at, firstPosition: String(position), ...last };
};

const ofFirstEvent = ['firstRevision', 'firstAt', 'firstPosition', 'principalId', 'clientId'] as const;

const everyStream: ProjectionSource<Change<PlatformStreamRow>> = {
  prefix: '',
  changes: (stored) => right(isNamed(stored) ? [{ kind: 'merge', row: rowOf(stored), keep: ofFirstEvent }] : []),
};

export const platformStreamsProjection = projection(platformStreamsView, [everyStream]);
