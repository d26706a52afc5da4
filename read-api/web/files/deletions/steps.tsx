/** Steps of a deletion in words: what each removes, and what it removed. */
import type { FileDeletion } from '../../../../packages/client/src/schemas';
import { StatusBadge, type Tone } from '../../components/status-badge';
import { countOf } from '../../kernel/format';

type Step = FileDeletion['steps'][number];

const stepNames: { readonly [name in Step['name']]: string } = {
  processing: 'Processing',
  index: 'Search index',
  objects: 'Bytes',
  key: 'Key of its content',
  proof: 'Proof',
};

/** What is counted, in the singular. */
const removedThings: { readonly [name in Step['name']]: string } = {
  processing: 'run',
  index: 'passage',
  objects: 'object',
  key: 'key',
  proof: 'object',
};

const states: { readonly [status in Step['status']]: { readonly label: string; readonly tone: Tone } } = {
  DONE: { label: 'done', tone: 'good' },
  NEXT: { label: 'running', tone: 'plain' },
  PENDING: { label: 'not yet', tone: 'plain' },
};

const noteOf = ({ name, status, removed }: Step): string => {
  if (status !== 'DONE') return '';
  const things = countOf(removed, removedThings[name]);
  if (name === 'processing') return removed === 0 ? 'None was left to end.' : `${things} ended.`;
  if (name === 'key')
    return removed === 0 ? 'It was gone before.' : 'Destroyed: copies in logs and backups cannot be read.';
  if (name === 'proof')
    return removed === 0 ? 'Counted again: nothing is left.' : `${things} came later, and went too.`;
  return removed === 0 ? 'There was nothing to remove.' : `${things} removed, 0 left.`;
};

export const DeletionState = ({ deletion: { status, failure } }: { readonly deletion: FileDeletion }) => {
  if (status === 'DELETED') return <StatusBadge tone="good">deleted</StatusBadge>;
  return failure === null ? (
    <StatusBadge>being deleted</StatusBadge>
  ) : (
    <StatusBadge tone="warn">tried again by itself</StatusBadge>
  );
};

export const DeletionSteps = ({ deletion: { steps, failure, attempt } }: { readonly deletion: FileDeletion }) => (
  <ol class="stages" aria-label="Steps">
    {steps.map((step) => {
      const isDelayed = step.status === 'NEXT' && failure !== null;
      const { label, tone } = isDelayed ? ({ label: 'waiting', tone: 'warn' } as const) : states[step.status];
      return (
        <li key={step.name} class="stage">
          <span class="stage-name">{stepNames[step.name]}</span>
          <StatusBadge tone={tone}>{label}</StatusBadge>
          <span class="stage-note">
            {isDelayed ? `${failure} Put off ${attempt === 1 ? 'once' : `${attempt} times`}.` : noteOf(step)}
          </span>
        </li>
      );
    })}
  </ol>
);
