/** One line of the table that `npm run bench` prints. */
export interface BenchRow {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  /** The figure that it is held against, measured in the same run. */
  readonly baseline: number | null;
  readonly baselineName: string | null;
  /** value / baseline. */
  readonly ratio: number | null;
  readonly goal: string | null;
  readonly note?: string;
}
