/** New titles of a document and its ways to the trash and back, for readers of the log: they are no versions. */
import { listPlatformStreamEvents } from '../../../packages/client/src/operations';
import type { PlatformEvent } from '../../../packages/client/src/schemas';
import { hasScope } from '../kernel/permissions';
import { usePages } from '../kernel/use-pages';
import { actorOf } from '../platform/event-log/event-metadata';
import { documentStream } from './paths';

export interface TitleChange {
  readonly text: string;
  readonly by: string | undefined;
  readonly at: string;
}

const titleIn = (data: unknown): string => {
  const title = typeof data === 'object' && data !== null ? Reflect.get(data, 'title') : undefined;
  return typeof title === 'string' ? title : '…';
};

/** By event, without its version. */
const texts: Readonly<Record<string, (data: unknown) => string>> = {
  'editor.DocumentRenamed': (data) => `Renamed to “${titleIn(data)}”`,
  'editor.DocumentTrashed': () => 'Moved to the trash',
  'editor.DocumentRestored': () => 'Restored from the trash',
};

const changeOf = ({ type, data, metadata, at }: PlatformEvent): readonly TitleChange[] => {
  const text = texts[type.replace(/\.v\d+$/, '')];
  return text === undefined || at === null ? [] : [{ text: text(data), by: actorOf(metadata), at }];
};

/** A document has few events of its own: members, titles, names of versions. */
const maxEvents = 200;

/** The newest first. */
export const useTitleChanges = (documentId: string): readonly TitleChange[] => {
  const request = listPlatformStreamEvents({
    stream: documentStream(documentId),
    direction: 'backwards',
    limit: maxEvents,
  });
  return usePages(hasScope('platform:read') ? request : undefined).items?.flatMap(changeOf) ?? [];
};
