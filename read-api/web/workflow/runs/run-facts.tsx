/** What a run is of: status, trigger, commit, file, actor, and how long it took. */
import type { ComponentChildren } from 'preact';
import type { WorkflowRun } from '../../../../packages/client/src/schemas';
import { Elapsed, Timestamp } from '../../components/timestamp';
import { CopyableId } from '../../references/copyable-id';
import { Reference } from '../../references/reference';
import { isActive, RunState } from '../labels';

/** A path that breaks after its slashes alone. */
const Path = ({ path }: { readonly path: string }) => (
  <span class="mono path">
    {path.split(/(?<=\/)/).map((part, index) => (
      <span key={index}>{part}</span>
    ))}
  </span>
);

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

export const RunFacts = ({ run }: { readonly run: WorkflowRun }) => (
  <dl class="facts run-facts">
    <Fact name="Status">
      <RunState status={run.status} />
    </Fact>
    <Fact name="Event">
      {run.eventType} of <span class="mono">{run.branch}</span>
    </Fact>
    <Fact name="Commit">
      <CopyableId id={run.commitSha} of="the commit" />
    </Fact>
    <Fact name="Workflow file">
      <Path path={run.path} />
    </Fact>
    <Fact name="By">
      <Reference kind="principal" id={run.actorId} isShort />
    </Fact>
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
