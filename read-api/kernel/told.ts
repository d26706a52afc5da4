/** Events as followers are told of them: encoded once, with the tenant that may hear of it. */
import { parseStreamName } from '../../domain/kernel/ids';
import type { ServerSentEvent } from '../../infra/http/route';
import type { StoredEvent } from '../../infra/ports/event-store';
import type { Log } from '../../infra/ports/log';

export interface Followed {
  /** How the names of the streams begin: `<context>.<aggregate>-`, which the tenant follows. */
  readonly streams: readonly string[];
  /** Undefined when an event is not shown. */
  readonly show: (event: StoredEvent) => { readonly event: string; readonly body: unknown } | undefined;
}

export interface Told {
  readonly position: bigint;
  readonly tenantId: string;
  readonly sent: ServerSentEvent;
}

/** Undefined when nobody is told. */
export type Tell = (event: StoredEvent) => Told | undefined;

export const toldBy =
  ({ show }: Followed, log: Log): Tell =>
  (event) => {
    const { position, stream, revision, type } = event;
    const tenantId = parseStreamName(stream)?.tenant;
    try {
      const shown = tenantId === undefined ? undefined : show(event);
      if (tenantId === undefined || shown === undefined) return undefined;
      const sent = { id: String(position), event: shown.event, data: JSON.stringify(shown.body) };
      return { position, tenantId, sent };
    } catch (error) {
      // Everybody else's events must not wait for this one.
      log.error({ error, stream, revision, type }, 'event could not be shown to followers; it is left out');
      return undefined;
    }
  };
