/** Where a stream is numbered anew, the revision that its metadata truncates it before moves with it. */
import { hidesAll, metadataOf } from '../storage/metadata';
import type { LoggedEvent } from './line';

/** A soft delete hides whatever there is. */
export const truncates = ({ data }: LoggedEvent): boolean => {
  const { before = 0 } = metadataOf(data).retention;
  return before > 0 && before < hidesAll;
};

/** `removed`: how many events are gone from the stream's beginning; `all` there were leave nothing to hide. */
export const moveTruncation = (event: LoggedEvent, removed: number | 'all'): LoggedEvent => {
  if (removed === 0 || !truncates(event)) return event;
  const metadata = JSON.parse(Buffer.from(event.data).toString('utf8')) as { readonly $tb: number };
  const $tb = removed === 'all' ? 0 : Math.max(0, metadata.$tb - removed);
  return { ...event, data: Buffer.from(JSON.stringify({ ...metadata, $tb })) };
};
