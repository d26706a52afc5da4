/** Reasons and states of reports in words. */
import type { OwnVideoReport } from '../../../../packages/client/src/schemas';
import type { Tone } from '../../components/status-badge';

export type ReportReason = OwnVideoReport['reason'];

export const reasonLabels: { readonly [reason in ReportReason]: string } = {
  copyright: 'It is the work of someone else',
  sexual: 'Sexual content',
  violent: 'Violence or danger',
  hateful: 'Hate',
  harassing: 'Harassment or bullying',
  misleading: 'Spam or deception',
  personal: 'It shows someone against their will',
  other: 'Something else',
};

export const reasonOptions = (Object.keys(reasonLabels) as readonly ReportReason[]).map((value) => ({
  value,
  label: reasonLabels[value],
}));

type ReportState = OwnVideoReport['state'];

export const stateLabels: { readonly [state in ReportState]: { readonly tone: Tone; readonly text: string } } = {
  open: { tone: 'warn', text: 'open' },
  dismissed: { tone: 'plain', text: 'dismissed' },
  upheld: { tone: 'good', text: 'upheld' },
};

/** What became of it, in a sentence; undefined while it is open. */
export const outcomeOf = ({ state, resolution }: Pick<OwnVideoReport, 'state' | 'resolution'>): string | undefined => {
  switch (state) {
    case 'open':
      return undefined;
    case 'dismissed':
      return `The video stays: ${resolution ?? ''}`;
    case 'upheld':
      return resolution === null ? 'The video was deleted.' : `The video was taken down: ${resolution}`;
  }
};
