/** How far an import is, in words and as a bar. */
import type { ImportStatus, PlaceImport } from '../../../../packages/client/src/schemas';
import { StatusBadge, type Tone } from '../../components/status-badge';
import { countOf, numberOf } from '../../kernel/format';

const states: { readonly [status in ImportStatus]: { readonly label: string; readonly tone: Tone } } = {
  created: { label: 'not uploaded', tone: 'warn' },
  running: { label: 'running', tone: 'plain' },
  completed: { label: 'completed', tone: 'good' },
  failed: { label: 'failed', tone: 'bad' },
  cancelled: { label: 'canceled', tone: 'plain' },
};

export const ImportState = ({ status }: Pick<PlaceImport, 'status'>) => (
  <StatusBadge tone={states[status].tone}>{states[status].label}</StatusBadge>
);

export const mayCancel = (status: ImportStatus): boolean => status === 'created' || status === 'running';

/** A CSV file has a line that is no place. */
const linesOf = ({ format, lines }: Pick<PlaceImport, 'format' | 'lines'>): string =>
  format === 'csv' && lines > 0 ? `${countOf(lines, 'line')} with the header` : countOf(lines, 'line');

type Progress = Pick<PlaceImport, 'fileName' | 'permille' | 'format' | 'lines'>;

export const ImportBar = ({ fileName, permille, ...read }: Progress) => (
  <>
    <progress max={1_000} value={permille} aria-label={`Read from ${fileName}`} />
    <div class="below">
      {Math.floor(permille / 10)} % of the file, {linesOf(read)}
    </div>
  </>
);

/** `12 recorded, 3 unchanged` */
export const outcomesOf = ({ recorded, unchanged, outdated, refused }: PlaceImport): string =>
  (
    [
      ['recorded', recorded],
      ['unchanged', unchanged],
      ['outdated', outdated],
      ['refused', refused],
    ] as const
  )
    .filter(([name, count]) => count > 0 || name === 'recorded')
    .map(([name, count]) => `${numberOf(count)} ${name}`)
    .join(', ');
