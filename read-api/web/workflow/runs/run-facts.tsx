/** What a run is of: status, trigger, commit, file, actor, and how long it took. */
import type { ComponentChildren } from 'preact';
import { listPlatformStreamEvents } from '../../../../packages/client/src/operations';
import type { WorkflowRun } from '../../../../packages/client/src/schemas';
import { BreakablePath } from '../../components/breakable-path';
import { Elapsed, Timestamp } from '../../components/timestamp';
import { hasScope, ownTenant } from '../../kernel/permissions';
import { useResource } from '../../kernel/use-resource';
import { CopyableId } from '../../references/copyable-id';
import { Reference } from '../../references/reference';
import { streamOf } from '../../references/targets';
import { isActive, isIdle, RunState, statusOfRun } from '../labels';

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Undefined: none, or not an event that can have some. */
const inputsOf = (data: unknown): readonly (readonly [name: string, value: string])[] | undefined => {
  if (typeof data !== 'object' || data === null || !('inputs' in data)) return undefined;
  const { inputs } = data;
  if (typeof inputs !== 'object' || inputs === null) return undefined;
  const entries = Object.entries(inputs).map(([name, value]) => [name, String(value)] as const);
  return entries.length === 0 ? undefined : entries;
};

/** From the run's first event: its row does not have them. */
const RunInputs = ({ runId }: Pick<WorkflowRun, 'runId'>) => {
  const stream = streamOf('workflow', 'run', { tenantId: ownTenant(), id: runId });
  const { content } = useResource(listPlatformStreamEvents({ stream, direction: 'forwards', limit: 1 }));
  const inputs = inputsOf(content?.items[0]?.data);
  return inputs === undefined ? null : (
    <Fact name="Inputs">
      {inputs.map(([name, value]) => (
        <div key={name}>
          {name}: <span class="mono">{value === '' ? '—' : value}</span>
        </div>
      ))}
    </Fact>
  );
};

export const RunFacts = ({ run }: { readonly run: WorkflowRun }) => (
  <dl class="facts run-facts">
    <Fact name="Status">
      <RunState status={statusOfRun(run.status, run.status === 'in_progress' && isIdle(run.jobs))} />
    </Fact>
    <Fact name="Event">
      {run.eventType} of <span class="mono">{run.branch}</span>
    </Fact>
    <Fact name="Commit">
      <CopyableId id={run.commitSha} of="the commit" />
    </Fact>
    <Fact name="Workflow file">
      <span class="mono">
        <BreakablePath path={run.path} />
      </span>
    </Fact>
    <Fact name="By">
      <Reference kind="principal" id={run.actorId} isShort />
    </Fact>
    {run.eventType === 'workflow_dispatch' && hasScope('platform:read') && <RunInputs runId={run.runId} />}
    <Fact name="Attempt">{run.attempt}</Fact>
    <Fact name="Created">
      <Timestamp at={run.createdAt} />
    </Fact>
    <Fact name="Duration">
      <Elapsed from={run.startedAt ?? null} to={run.completedAt ?? null} isRunning={isActive(run.status)} />
    </Fact>
  </dl>
);

export const RunProblems = ({ problems }: Pick<WorkflowRun, 'problems'>) => (
  <section class="section">
    <h2>The workflow file is not valid</h2>
    <ul class="changes">
      {problems.map(({ message, line, column }) => (
        <li key={`${line} ${column} ${message}`} class="where">
          {message}
          {line !== null && (
            <span class="faint">
              line {line}
              {column !== null && `, column ${column}`}
            </span>
          )}
        </li>
      ))}
    </ul>
  </section>
);
