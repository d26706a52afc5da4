/** Metrics that a process publishes; registering the same name twice returns the same metric. */
export type Labels = { readonly [label: string]: string };

export interface MetricSpec {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

export interface Metrics {
  readonly counter: (spec: MetricSpec) => (labels?: Labels, by?: number) => void;
  readonly gauge: (spec: MetricSpec) => (value: number, labels?: Labels) => void;
  /** Buckets are upper bounds, in the unit that the name ends with. */
  readonly histogram: (
    spec: MetricSpec & { readonly buckets?: readonly number[] },
  ) => (value: number, labels?: Labels) => void;
}
