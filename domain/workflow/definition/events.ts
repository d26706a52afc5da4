/** A workflow file of a repository, whose runs are counted. */
import { integer } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { DefinitionId, TriggerEventId } from '../ids';

export const definitions = aggregate(
  { context: 'workflow', name: 'definition', id: DefinitionId },
  {
    /** The event starts a run of it, or was about to: numbers may be left out. */
    RunNumbered: {
      v: 1,
      data: { workflowDefinitionId: DefinitionId, triggerEventId: TriggerEventId, runNumber: integer(1) },
    },
  },
);
export type DefinitionEvent = typeof definitions.Event;

export const { stream: definitionStream } = definitions;
