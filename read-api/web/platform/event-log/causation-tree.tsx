/** Tree of the events that one request caused, with the current event marked. */
import { listPlatformCauses } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { ClockTime } from '../../components/timestamp';
import { useResource } from '../../kernel/use-resource';
import { StreamName } from '../../references/stream-name';
import type { Cause, Causes } from '../api-types';
import { eventPath } from '../paths';
import { EventTypeName } from './event-type-name';

interface Node {
  readonly cause: Cause;
  readonly children: Node[];
}

/** Builds the tree from lines with a depth, in display order. */
const nest = (items: readonly Cause[]): readonly Node[] => {
  const roots: Node[] = [];
  const open: Node[] = [];
  for (const cause of items) {
    const node = { cause, children: [] };
    const depth = Math.min(cause.depth, open.length);
    (depth === 0 ? roots : (open[depth - 1]?.children ?? roots)).push(node);
    open.length = depth;
    open.push(node);
  }
  return roots;
};

const Branch = ({ node, eventId }: { readonly node: Node; readonly eventId: string }) => {
  const { id, stream, revision, type, at } = node.cause;
  const here = id === eventId ? { 'aria-current': 'true' as const } : {};
  return (
    <li>
      <div class="node" {...here}>
        <a href={eventPath(stream, revision)}>
          <EventTypeName type={type} />
        </a>
        <span class="faint">
          <StreamName stream={stream} isShort />
        </span>
        <span class="faint">
          <ClockTime at={at} />
        </span>
      </div>
      {node.children.length > 0 && (
        <ul>
          {node.children.map((child) => (
            <Branch key={child.cause.id} node={child} eventId={eventId} />
          ))}
        </ul>
      )}
    </li>
  );
};

const Tree = ({ causes, eventId }: { readonly causes: Causes; readonly eventId: string }) => (
  <>
    {causes.items.length === 0 ? (
      <p class="notice">The view of causes has not caught up with this conversation yet.</p>
    ) : (
      <ul class="tree">
        {nest(causes.items).map((node) => (
          <Branch key={node.cause.id} node={node} eventId={eventId} />
        ))}
      </ul>
    )}
    {causes.truncated && <p class="more">Only the first are shown.</p>}
  </>
);

export const CausationTree = ({ correlation, eventId }: { readonly correlation: string; readonly eventId: string }) => {
  const causes = useResource(listPlatformCauses({ correlationId: correlation }));
  return (
    <section class="section">
      <h2>Causes and effects</h2>
      <AsyncContent source={causes} rows={2}>
        {(content) => <Tree causes={content} eventId={eventId} />}
      </AsyncContent>
    </section>
  );
};
