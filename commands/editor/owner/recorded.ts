/** What owners append, made ready for the log. */
import { hash } from 'node:crypto';
import { type LogEvent, log } from '../../../domain/editor/log/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { NewEvent } from '../../../infra/ports/event-store';
import { derivedId } from '../../kernel/derive';
import { metadataOf } from '../../kernel/request';

export interface Recording {
  readonly stream: string;
  readonly tenant: TenantId;
  readonly actor: string;
  readonly commandId: string;
  readonly correlationId?: string | undefined;
  readonly at: Instant;
}

/** The owner's own doing, not its callers'. */
export const systemActor = 'system:editor';

/** `content` is what tells it from another event under the same command id: the id of one that was not written must not be taken again. */
export const recorded = (event: LogEvent, recording: Recording, content: string): NewEvent => {
  const { stream, commandId, correlationId, tenant, actor, at } = recording;
  const contentHash = hash('sha256', content, 'hex');
  const request = { stream, command: null, commandId, tenant, actor, correlationId: correlationId ?? commandId };
  return {
    id: derivedId(stream, commandId, contentHash, event.type),
    ...log.encode(event),
    metadata: metadataOf(request, contentHash, at),
  };
};
