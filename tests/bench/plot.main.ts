/** `npm run plot`: draws measurements beside their rivals as bars, from the lines that benches printed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments, runTool } from '../../infra/server/runtime/command-line';
import { tool } from '../../packages/command-line/src/index';

interface Row {
  /** A pattern of the figure's name. */
  readonly name: RegExp;
  readonly title: string;
  readonly rival: string;
  readonly better: 'higher' | 'lower';
  /** In place of the unit of the bench. */
  readonly unit?: string;
}

const rows: readonly Row[] = [
  {
    name: /^limit\.1\.zipf\.c200: beside rate-limiter-flexible$/,
    title: 'Rate limit decisions, 200 callers',
    rival: 'rate-limiter-flexible',
    better: 'higher',
  },
  {
    name: /^auth-issue\.credentials\.perSecond$/,
    title: 'Access tokens issued, each on disk',
    rival: 'oidc-provider, in memory',
    better: 'higher',
    unit: 'tokens/s',
  },
  {
    name: /^workQueue\.8\.performed$/,
    title: 'Jobs performed by 8 workers',
    rival: 'graphile-worker',
    better: 'higher',
  },
  {
    name: /^workQueue\.1\.claim\.p50$/,
    title: 'From a queued job to its start',
    rival: 'graphile-worker',
    better: 'lower',
  },
];

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline: number;
}

const root = join(__dirname, '..', '..');

const readResults = (): readonly Figure[] =>
  readFileSync(join(root, 'docs', 'figures.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Figure);

const rounded = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

const [left, width, rowHeight, barHeight] = [290, 330, 62, 18];

const bar = (
  at: number,
  { value, most, label, style }: { value: number; most: number; label: string; style: string },
) => {
  const length = Math.max(2, Math.round((value / most) * width));
  return `<rect class="${style}" x="${left}" y="${at}" width="${length}" height="${barHeight}" rx="3"/><text class="small" x="${left + length + 8}" y="${at + 13}">${label}</text>`;
};

const drawRow = (row: Row, { value, baseline, ...figure }: Figure, index: number): string => {
  const { title, rival, better, unit = figure.unit } = row;
  const top = 44 + index * rowHeight;
  const most = Math.max(value, baseline);
  const own = { value, most, label: `${rounded.format(value)} ${unit}`, style: 'own' };
  const other = { value: baseline, most, label: `${rounded.format(baseline)} ${unit}, ${rival}`, style: 'rival' };
  return `<text x="20" y="${top + 14}">${title}</text><text class="small" x="20" y="${top + 34}">${better} is better</text>
${bar(top, own)}
${bar(top + barHeight + 4, other)}`;
};

const style = `<style>
  .bg { fill: #faf9f7; } .own { fill: #0f5f5c; } .rival { fill: #b9bfc1; } text { fill: #1d1f20; } .small { font-size: 12px; fill: #55595c; }
  @media (prefers-color-scheme: dark) {
    .bg { fill: #16191a; } .own { fill: #5fb3af; } .rival { fill: #565e61; } text { fill: #e8eaea; } .small { fill: #a9b0b2; }
  }
</style>`;

const main = async (): Promise<void> => {
  const results = readResults();
  const drawn = rows.map((row, index) => {
    const figure = results.findLast(({ name }) => row.name.test(name));
    if (figure === undefined) throw new Error(`docs/figures.jsonl has no figure ${row.name.source}`);
    return drawRow(row, figure, index);
  });
  const height = 56 + rows.length * rowHeight;
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 940 ${height}" font-family="system-ui, sans-serif" font-size="14">
<title>Measured figures beside other libraries</title>
${style}
<rect class="bg" width="940" height="${height}" rx="10"/>
<text class="small" x="20" y="24">Septet above, the other below. Two cores; each pair is measured in the same run, by npm run bench.</text>
${drawn.join('\n')}
</svg>
`;
  writeFileSync(join(root, 'docs', 'figures.svg'), text);
};

export const program = tool({
  name: 'npm run plot --',
  about: 'Draws docs/figures.svg from the figures in docs/figures.jsonl, which benches print.',
});

if (require.main === module) {
  readArguments(program);
  runTool(main);
}
