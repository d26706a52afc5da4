/**
 * A small chart of series over time, drawn by uPlot on a canvas. What a screen reader and a keyboard need of it is in its text: the latest and the
 * highest value. Pointing at one chart shows the values of all charts of the page at that time.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import UPlot from 'uplot';
import { clockTimeOf } from '../kernel/format';
import { theme } from '../kernel/theme';

export type ChartTone = 'accent' | 'bad';

export interface ChartSeries {
  readonly label: string;
  readonly tone: ChartTone;
  /** The oldest first; null where nothing was recorded. */
  readonly values: readonly (number | null)[];
}

interface Props {
  /** `Commands per second` */
  readonly label: string;
  readonly series: readonly ChartSeries[];
  /** Milliseconds since 1970 of the first value. */
  readonly from: number;
  readonly stepSeconds: number;
  readonly format: (value: number) => string;
  readonly height?: number;
  /** For a chart that is a page's main figure: times below it, values beside it. */
  readonly hasAxes?: boolean;
}

/** Charts of one page share their cursor. */
const cursorGroup = 'septet';

const isNumber = (value: number | null | undefined): value is number => typeof value === 'number';

/** The canvas knows no custom properties, so the colours are read from the legend. */
const colourOf = (root: HTMLElement, index: number): string => {
  const mark = root.querySelectorAll('.mark')[index];
  return mark === undefined ? 'gray' : getComputedStyle(mark).color;
};

/** A flat line at the bottom stays visible, and small values are not drawn as large. */
const rangeOf = (_plot: UPlot, _low: number, high: number): UPlot.Range.MinMax => [0, high > 0 ? high * 1.15 : 1];

const noAxes: readonly UPlot.Axis[] = [{ show: false }, { show: false }];

/** The canvas takes the colours of the figure: its text, and its border for lines. */
const axesFor = (root: HTMLElement, format: Props['format']): readonly UPlot.Axis[] => {
  const common = {
    stroke: () => getComputedStyle(root).color,
    grid: { stroke: () => getComputedStyle(root).borderTopColor, width: 1 },
    ticks: { show: false },
    font: '12px "Geist Variable", system-ui, sans-serif',
  };
  const hourOf = (seconds: number): string => clockTimeOf(new Date(seconds * 1_000).toISOString()).slice(0, 5);
  return [
    { ...common, size: 26, values: (_plot, times) => times.map(hourOf) },
    { ...common, size: 64, values: (_plot, values) => values.map(format) },
  ];
};

const optionsFor = (
  root: HTMLElement,
  { series, format, height = 56, hasAxes = false }: Props,
  onCursor: (index: number | null) => void,
): UPlot.Options => ({
  width: Math.max(root.clientWidth, 40),
  height,
  legend: { show: false },
  axes: [...(hasAxes ? axesFor(root, format) : noAxes)],
  padding: [4, hasAxes ? 16 : 0, 2, 0],
  scales: { x: { time: true }, y: { range: rangeOf } },
  cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 }, sync: { key: cursorGroup, setSeries: false } },
  series: [
    {},
    ...series.map((_one, index) => ({
      stroke: () => colourOf(root, index),
      width: 1.5,
      points: { show: false },
      spanGaps: false,
    })),
  ],
  hooks: { setCursor: [({ cursor: { idx, left = -1 } }) => onCursor(left < 0 ? null : (idx ?? null))] },
});

const dataOf = ({ series, from, stepSeconds }: Props): UPlot.AlignedData => {
  const times = (series[0]?.values ?? []).map((_value, index) => from / 1_000 + index * stepSeconds);
  return [times, ...series.map(({ values }) => [...values])];
};

/** Follows the width of its place and the theme. */
const useRedraw = (
  plot: { readonly current: UPlot | null },
  root: { readonly current: HTMLElement | null },
  height: number,
): void => {
  const chosen = theme.value;
  const drawn = useRef(chosen);
  useEffect(() => {
    // A redraw before the first drawing would take the scale of no data.
    if (drawn.current === chosen) return;
    drawn.current = chosen;
    plot.current?.redraw();
  }, [chosen]);
  useEffect(() => {
    const { current } = root;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() =>
      plot.current?.setSize({ width: Math.max(current.clientWidth, 40), height }),
    );
    observer.observe(current);
    const system = matchMedia('(prefers-color-scheme: dark)');
    const redraw = (): void => plot.current?.redraw();
    system.addEventListener('change', redraw);
    return () => {
      observer.disconnect();
      system.removeEventListener('change', redraw);
    };
  }, [height]);
};

const latestOf = (values: readonly (number | null)[]): number | undefined => values.findLast(isNumber);

const highestOf = (values: readonly (number | null)[]): number | undefined => {
  const known = values.filter(isNumber);
  return known.length === 0 ? undefined : Math.max(...known);
};

const summaryOf = ({ label, series, format }: Props): string => {
  const parts = series.map(({ label: name, values }) => {
    const [latest, highest] = [latestOf(values), highestOf(values)];
    return latest === undefined || highest === undefined
      ? `${name}: nothing recorded`
      : `${name}: now ${format(latest)}, at most ${format(highest)}`;
  });
  return `${label}. ${parts.join('. ')}.`;
};

/** The latest value of a single series stands above its chart, so its line has the height of the chart instead. */
const Values = ({
  props: { series, format, from, stepSeconds, hasAxes = false },
  index,
}: {
  readonly props: Props;
  readonly index: number | null;
}) => (
  <p class="chart-values" aria-hidden="true">
    {series.map(({ label, tone, values }) => {
      const isHighest = index === null && series.length === 1 && !hasAxes;
      const resting = isHighest ? highestOf(values) : latestOf(values);
      const value = index === null ? resting : values[index];
      return (
        <span key={label}>
          <span class={`mark ${tone}`} /> {isHighest ? 'at most' : label} {isNumber(value) ? format(value) : '—'}
        </span>
      );
    })}
    {index !== null && (
      <span class="faint">{clockTimeOf(new Date(from + index * stepSeconds * 1_000).toISOString()).slice(0, 8)}</span>
    )}
  </p>
);

export const Chart = (props: Props) => {
  const { series, height = 56 } = props;
  const root = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const [index, setIndex] = useState<number | null>(null);
  useEffect(() => {
    const { current: figure } = root;
    const { current: place } = canvas;
    if (figure === null || place === null) return undefined;
    const made = new UPlot(optionsFor(figure, props, setIndex), dataOf(props), place);
    plot.current = made;
    return () => {
      plot.current = null;
      made.destroy();
    };
  }, [series.length, height]);
  useEffect(() => plot.current?.setData(dataOf(props)));
  useRedraw(plot, root, height);
  return (
    <figure ref={root} class="chart" role="img" aria-label={summaryOf(props)}>
      <div ref={canvas} aria-hidden="true" />
      <Values props={props} index={index} />
    </figure>
  );
};
