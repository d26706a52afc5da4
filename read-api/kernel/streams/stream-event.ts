/** Events as subscribers receive them: encoded once, with the tenant that may receive them. */
import { parseStreamName } from '../../../domain/kernel/ids';
import type { StoredEvent } from '../../../infra/ports/event-store';
import type { Log } from '../../../infra/ports/runtime/log';
import type { ServerSentEvent } from '../../../infra/server/http/routing/route';
import type { StreamIds } from './event-ids';

export interface EventRepresentation {
  readonly event: string;
  readonly body: object;
}

export interface StreamSource {
  /** How the names of the streams begin: `<context>.<aggregate>-`, which the tenant follows; left out, every stream. */
  readonly streams?: readonly string[];
  /** Subscribers receive streams of all tenants, and streams without a tenant. */
  readonly whole?: true;
  /** Undefined when subscribers do not receive the event. */
  readonly show: (event: StoredEvent) => EventRepresentation | undefined;
}

export interface StreamEvent {
  readonly position: bigint;
  readonly tenantId: string;
  /** The fields that filters compare. */
  readonly body: object;
  /** One object for all subscribers, so that its bytes are encoded once. */
  readonly sent: ServerSentEvent;
  /** Milliseconds of the process's own clock. */
  readonly receivedAt: number;
}

/** Undefined when no subscriber receives it. */
export type EncodeEvent = (event: StoredEvent) => StreamEvent | undefined;

/** Stands for the tenant in a stream of all tenants. */
const everyTenant = '*';

/** The tenant for which ids are signed and which receives the events. */
export const audienceOf = ({ whole }: Pick<StreamSource, 'whole'>, tenantId: string): string =>
  whole === true ? everyTenant : tenantId;

export interface EncoderOptions {
  readonly ids: StreamIds;
  readonly log: Log;
}

export const createEventEncoder =
  ({ show, whole }: StreamSource, { ids, log }: EncoderOptions): EncodeEvent =>
  (event) => {
    const { position, stream, revision, type } = event;
    const tenantId = whole === true ? everyTenant : parseStreamName(stream)?.tenant;
    try {
      const representation = tenantId === undefined ? undefined : show(event);
      if (tenantId === undefined || representation === undefined) return undefined;
      const { body } = representation;
      const sent = { id: ids.write(tenantId, position), event: representation.event, data: JSON.stringify(body) };
      return { position, tenantId, body, sent, receivedAt: performance.now() };
    } catch (error) {
      // An event that cannot be encoded must not block the stream.
      log.error({ error, stream, revision, type }, 'event could not be encoded for subscribers; it is left out');
      return undefined;
    }
  };
